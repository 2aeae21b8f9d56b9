import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Client, ClientContext } from './clients.ts';

/** Whether a client is on this machine: one of its programs is on the `PATH`, or it has a file or directory of its own. */
export function isHere(client: Client, context: ClientContext, searchPath: string): boolean {
  const directories = searchPath.split(path.delimiter).filter((directory) => path.isAbsolute(directory));
  const isOnPath = client.programs.some((program) =>
    directories.some((directory) => isProgram(path.join(directory, program))),
  );
  return isOnPath || ownPlaces(client, context).some((place) => existsSync(place));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Its file at home, and the directory that holds it if that is the client's alone. */
function ownPlaces({ place, ownPlace }: Client, context: ClientContext): readonly string[] {
  const { file, standing } = (ownPlace ?? place)(context);
  if (standing !== 'user') return [];
  const directory = path.dirname(file);
  return [context.home, context.configHome].includes(directory) ? [file] : [file, directory];
}
