import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { inTransaction } from './transaction.ts';

function numbers() {
  const connection = new DatabaseSync(':memory:');
  connection.exec('create table number (value integer unique) strict');
  const add = (value: number) => connection.prepare('insert into number values (?)').run(value);
  const all = () =>
    connection
      .prepare('select value from number order by value')
      .all()
      .map((row) => row.value);
  return { connection, add, all };
}

it('keeps everything and answers what the work answered', () => {
  const { connection, add, all } = numbers();
  const answer = inTransaction(connection, 'immediate', () => {
    add(1);
    add(2);
    return 'done';
  });
  expect([answer, all(), connection.isTransaction]).toEqual(['done', [1, 2], false]);
});

it('keeps nothing when the work throws, and throws the same', () => {
  const { connection, add, all } = numbers();
  const failure = new Error('in the middle');
  const work = () => {
    add(1);
    throw failure;
  };
  expect(() => inTransaction(connection, 'immediate', work)).toThrow(failure);
  expect([all(), connection.isTransaction]).toEqual([[], false]);
});

it('refuses asynchronous work, and keeps nothing of it', () => {
  const { connection, add, all } = numbers();
  const work = async () => add(1);
  expect(() => inTransaction(connection, 'immediate', work)).toThrow('must not be asynchronous');
  expect([all(), connection.isTransaction]).toEqual([[], false]);
});

it('does not nest, and a refused one inside spoils the outer', () => {
  const { connection, add, all } = numbers();
  const nested = () => {
    add(1);
    inTransaction(connection, 'immediate', () => add(2));
  };
  expect(() => inTransaction(connection, 'immediate', nested)).toThrow('already open');
  expect(all()).toEqual([]);
});

it('goes on after SQLite itself has ended the transaction', () => {
  const { connection, add, all } = numbers();
  const work = () => {
    add(1);
    connection.exec('insert or rollback into number values (1)');
  };
  expect(() => inTransaction(connection, 'immediate', work)).toThrow('UNIQUE');
  inTransaction(connection, 'immediate', () => add(3));
  expect(all()).toEqual([3]);
});
