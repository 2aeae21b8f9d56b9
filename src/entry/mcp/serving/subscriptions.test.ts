import { expect, it } from 'vitest';
import { followAll } from './subscriptions.ts';

it('follows addresses of resources, and nothing else that a client lists', async () => {
  const asked: string[] = [];
  const follow = async (uri: string) => {
    asked.push(uri);
    return uri !== 'ken://kb/one/too-many';
  };
  const uris = ['file:///etc/passwd', 'ken://kb/a/b', 'skill://a/SKILL.md', 'x', 'ken://kb/one/too-many'];
  expect(await followAll({ follow }, uris)).toEqual(['ken://kb/a/b', 'skill://a/SKILL.md']);
  expect(asked).toEqual(['ken://kb/a/b', 'skill://a/SKILL.md', 'ken://kb/one/too-many']);
});
