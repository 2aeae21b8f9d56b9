// node write-rows-child.ts FILE WRITER COUNT: adds rows to a shared database and acknowledges each on standard output.
import { openDatabase } from '../../src/adapters/sqlite/open-database.ts';

const [file = '', writer = '', count = '0'] = process.argv.slice(2);
const database = await openDatabase({
  file,
  kind: 'truth',
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
for (let number = 0; number < Number(count); number++) {
  await database.write(() => {
    const insert = database.statement('insert into row values (?, ?, ?)');
    insert.run(writer, number, 'first');
    insert.run(writer, number, 'second');
  });
  process.stdout.write(`${number}\n`);
}
await database.close();
