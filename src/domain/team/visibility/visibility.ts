/** An entry is seen by its author alone, by the members of a workspace, or by those of every workspace of a team. */

export const VISIBILITIES = ['me', 'workspace', 'team'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Under this name the store keeps what only some see. No workspace can have such a name. */
export function storedUnder(visibility: Visibility, workspace: string, person: string): string {
  switch (visibility) {
    case 'me':
      return `${workspace}/of/${person}`;
    case 'workspace':
      return workspace;
    case 'team':
      return '/team';
  }
}
