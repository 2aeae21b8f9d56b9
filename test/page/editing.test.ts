import { existsSync, readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { browserProblem, openBrowser, openTab, violations } from './browser.ts';
import { pageHere } from './page-here.ts';

const missing = browserProblem();

function garden() {
  const place = sandboxHere(
    '[kb.topic.project]\nsubjects = "docs"\n\n[kb.topic.skills]\nsubjects = "skills"\n',
  );
  place.write('docs/deploy.md', '# Deploy\n\nOn Tuesdays.\n');
  place.write('skills/tea.md', '# Tea\n');
  return place;
}

/** Hidden and visible fields of the form that goes to `action`. */
function fieldsOf(body: string, action: string): Record<string, string> {
  const form = body.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  const inputs = [...form.matchAll(/name="([a-z_]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('&amp;', '&'),
  ]);
  return Object.fromEntries(inputs);
}

describe('editing the knowledge base on the page', () => {
  it('writes a new subject, changes it with a preview, and takes the change back', async () => {
    const place = garden();
    const page = await pageHere(place);
    const written = await page.send('/kb/save', {
      topic: 'project',
      name: 'people/ada',
      text: '# Ada\r\n\r\nShe writes.',
    });
    expect(written.at).toBe('/kb/subject?topic=project&slug=people%2Fada');
    const file = path.join(place.root, 'docs/people/ada.md');
    expect(readFileSync(file, 'utf8')).toBe('# Ada\n\nShe writes.\n');

    const opened = await page.get('/kb/edit?topic=project&slug=people/ada');
    const fields = fieldsOf(opened.body, '/kb/save');
    const shown = await page.send('/kb/preview', { ...fields, text: '# Ada\n\nShe **reads**.\n' });
    expect(shown.body).toContain('<strong>reads</strong>');
    expect(shown.body).toContain('<span class="gone">- She writes.');
    expect(readFileSync(file, 'utf8')).toContain('writes');

    const saved = await page.send('/kb/save', {
      ...fieldsOf(shown.body, '/kb/save'),
      text: '# Ada\n\nShe **reads**.\n',
    });
    expect(readFileSync(file, 'utf8')).toBe('# Ada\n\nShe **reads**.\n');
    await page.send('/kb/save', fieldsOf(saved.body, '/kb/save'));
    expect(readFileSync(file, 'utf8')).toBe('# Ada\n\nShe writes.\n');
    expect(page.bugs).toEqual([]);
  });

  it('offers no form for a topic that is not there', async () => {
    const page = await pageHere(garden());
    const { status, body } = await page.get('/kb/edit?topic=projekt');
    expect(status).toBe(404);
    expect(body).toContain('There is no topic &quot;projekt&quot;.');
    expect(body).not.toContain('name="text"');
  });

  it('never writes over what somebody else has written meanwhile, unless told to', async () => {
    const place = garden();
    const page = await pageHere(place);
    const { body } = await page.get('/kb/edit?topic=project&slug=deploy');
    place.write('docs/deploy.md', '# Deploy\r\n\r\nOn Fridays.\r\n');
    const mine = { ...fieldsOf(body, '/kb/save'), text: '# Deploy\n\nNever.\n' };
    const refused = await page.send('/kb/save', mine);
    expect(refused.body).toContain('Somebody else has changed this file since you opened it.');
    expect(refused.body).toContain('<span class="gone">- On Fridays.');
    expect(refused.body).toContain('<span class="added">+ Never.');
    expect(readFileSync(path.join(place.root, 'docs/deploy.md'), 'utf8')).toContain('Fridays');
    await page.send('/kb/save', fieldsOf(refused.body, '/kb/save'));
    // The file keeps the line ends that it has.
    expect(readFileSync(path.join(place.root, 'docs/deploy.md'), 'utf8')).toBe('# Deploy\r\n\r\nNever.\r\n');
  });

  it('renames and removes, and undoes both', async () => {
    const place = garden();
    const page = await pageHere(place);
    const at = (file: string) => path.join(place.root, file);
    const moved = await page.send('/kb/rename', { name: 'project/deploy', to: 'skills/release' });
    expect([existsSync(at('docs/deploy.md')), existsSync(at('skills/release.md'))]).toEqual([false, true]);
    await page.send('/kb/rename', fieldsOf(moved.body, '/kb/rename'));
    expect(existsSync(at('docs/deploy.md'))).toBe(true);
    const taken = await page.send('/kb/rename', { name: 'project/deploy', to: 'skills/tea', back: '/kb' });
    expect(taken.body).toContain('There is a subject of that name already: tea.');
    const removed = await page.send('/kb/remove', { name: 'project/deploy' });
    expect(existsSync(at('docs/deploy.md'))).toBe(false);
    await page.send('/kb/restore', fieldsOf(removed.body, '/kb/restore'));
    expect(readFileSync(at('docs/deploy.md'), 'utf8')).toBe('# Deploy\n\nOn Tuesdays.\n');
  });

  it('shows the subjects that changed lately on the home page, the newest first', async () => {
    const place = garden();
    utimesSync(path.join(place.root, 'docs/deploy.md'), 1_900_000_000, 1_900_000_000);
    const page = await pageHere(place);
    const { changes } = JSON.parse((await page.get('/index.json')).body);
    expect(changes[0]).toEqual({
      at: 1_900_000_000_000,
      part: 'subject',
      title: 'project/deploy',
      to: '/kb/subject?topic=project&slug=deploy',
    });
    expect((await page.get('/')).body).toContain('project/deploy');
  });

  it('lists many subjects by their directories, with the price of each', async () => {
    const place = garden();
    for (let at = 0; at < 70; at++) place.write(`docs/area-${at % 2}/part-${at}.md`, `# Part ${at}\n`);
    const { body } = await (await pageHere(place)).get('/kb');
    expect(body).toMatch(/<summary>area-0\/ <span[^>]*>35 subjects, about [1-9][\d,]* tokens/);
    expect(body).toMatch(/<ul class="list" data-items><li class="line">\s*<a class="name"[^>]*>deploy</);
  });

  it('keeps what was typed when it cannot be saved', async () => {
    const page = await pageHere(garden());
    const { body, at } = await page.send('/kb/save', {
      topic: 'project',
      name: '../../etc/passwd',
      text: 'mine',
    });
    expect(at).toMatch(/^\/kb\/edit\?topic=project&draft=/);
    expect(body).toContain('cannot be the name of a subject');
    expect(body).toContain('>\nmine</textarea>');
  });
});

describe.skipIf(missing)(`the editor in a browser${missing ? ` (${missing})` : ''}`, () => {
  it('is loaded on its page alone, shows a preview while one types, and saves with the keyboard', async () => {
    const place = garden();
    const page = await pageHere(place);
    const browser = await openBrowser();
    const tab = await openTab(browser, page);
    await tab.goto(`http://${page.host}/kb/subject?topic=project&slug=deploy`);
    expect(browser.asked.some((address) => address.includes('editor'))).toBe(false);
    await tab.getByRole('link', { name: 'Edit' }).click();
    await tab.locator('.cm-content').click();
    await tab.keyboard.press('Control+End');
    await tab.keyboard.type('\n## On Fridays we *rest*\n');
    await tab.locator('#preview em', { hasText: 'rest' }).waitFor();
    expect(await violations(tab)).toEqual([]);
    await tab.keyboard.press('Control+s');
    await tab.getByText('project/deploy is saved.').waitFor();
    expect(readFileSync(path.join(place.root, 'docs/deploy.md'), 'utf8')).toContain(
      '## On Fridays we *rest*\n',
    );
    expect(browser.problems).toEqual([]);
  });

  it('goes on where one began to write before it was loaded', async () => {
    const page = await pageHere(garden());
    const browser = await openBrowser();
    const tab = await openTab(browser, page);
    const written = Promise.withResolvers<void>();
    await tab.route('**/*editor*', async (route) => {
      await written.promise;
      await route.continue();
    });
    const edit = `http://${page.host}/kb/edit?topic=project&slug=deploy`;
    await tab.goto(edit, { waitUntil: 'commit' });
    await tab.locator('textarea[data-editor]').click();
    await tab.keyboard.press('Control+Home');
    await tab.keyboard.type('Before, ');
    written.resolve();
    await tab.locator('.cm-content').waitFor();
    await tab.keyboard.type('after');
    await tab.getByText('Before, after# Deploy').waitFor();
    expect(browser.problems).toEqual([]);
  });
});
