// node write-rows-child.ts FILE WRITER COUNT [truth|derived] [RECORDS]: adds rows to a shared database and tells each on standard output.
import { writeSync } from 'node:fs';
import { inspectionRecord } from '../../src/adapters/sqlite/seam/inspection-record.ts';
import { openDatabase } from '../../src/adapters/sqlite/seam/open-database.ts';

const [file = '', writer = '', count = '0', kind = 'truth', records] = process.argv.slice(2);
const database = await openDatabase({
  file,
  kind: kind === 'derived' ? 'derived' : 'truth',
  ...(records !== undefined && { inspections: inspectionRecord(records) }),
  migrations: [
    {
      name: 'rows',
      run: (connection) =>
        connection.exec(
          'create table row (writer text, number integer, half text, unique (writer, number, half)) strict',
        ),
    },
  ],
});
// A stream would hold back what a slow reader has no room for, and lose it with the process.
writeSync(1, 'begin\n');
for (let number = 0; number < Number(count); number++) {
  await database.write(() => {
    const insert = database.statement('insert into row values (?, ?, ?)');
    insert.run(writer, number, 'first');
    insert.run(writer, number, 'second');
  });
  writeSync(1, `${number}\n`);
}
writeSync(1, 'end\n');
await database.close();
