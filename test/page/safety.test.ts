import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtFile } from '../../src/base/package-files.ts';
import { NOBODY, sandbox } from '../cli/ken.ts';
import { CTRL_C, openPty, ptyProblem } from '../cli/pty.ts';
import { formToken, type Knock, ownForm, servedAt, servePage, signIn } from './serve-page.ts';

const missing = ptyProblem();

describe.skipIf(missing)(`the page keeps others out${missing ? ` (${missing})` : ''}`, () => {
  it('refuses foreign hosts, sites, frames and forms, signed in or not', async () => {
    const page = await servePage();
    const cookie = await signIn(page);
    const token = await formToken(page, cookie);
    const { host } = page;
    const port = host.split(':')[1];
    const own = ownForm(host);
    const post = (headers: Record<string, string>, body = `form_token=${token}`): Knock => ({
      method: 'POST',
      path: '/sign-out',
      headers: { cookie, ...headers },
      body,
    });
    const get = (headers: Record<string, string>): Knock => ({ headers: { cookie, ...headers } });
    const matrix: [string, Knock, number][] = [
      ['its own name', get({}), 200],
      ['an address', get({ host: `127.0.0.1:${port}` }), 421],
      ['localhost', get({ host: `localhost:${port}` }), 421],
      ['its name without a port', get({ host: host.split(':')[0] ?? '' }), 421],
      ['a name that ends like it', get({ host: `x.${host}` }), 421],
      ['a name that begins like it', get({ host: `${host}.evil.example` }), 421],
      ['a rebound name', get({ host: `evil.example:${port}` }), 421],
      ['a link of another site', get(from('cross-site', 'navigate', 'document')), 200],
      ['a frame of another site', get(from('cross-site', 'navigate', 'iframe')), 403],
      ['an image of another site', get(from('cross-site', 'no-cors', 'image')), 403],
      ['a script of a sibling', get(from('same-site', 'no-cors', 'script')), 403],
      ['a fetch of another origin', get({ origin: 'https://evil.example' }), 403],
      ['no cookie', { path: '/index.json' }, 401],
      ['a made-up cookie', { path: '/index.json', headers: { cookie: `ken=${'0'.repeat(64)}` } }, 401],
      [
        'a form of another site',
        post({ ...own, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
        403,
      ],
      [
        'a form of a sibling port',
        post({ ...own, origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' }),
        403,
      ],
      ['a form without an origin', post({ 'content-type': FORM }), 403],
      [
        'a sandboxed form',
        post({ origin: 'null', 'sec-fetch-site': 'cross-site', 'content-type': FORM }),
        403,
      ],
      ['an origin of null alone', post({ origin: 'null', 'content-type': FORM }), 403],
      ['JSON instead of a form', post({ ...own, 'content-type': 'application/json' }, '{}'), 415],
      ['a form without its token', post(own, ''), 403],
      ['a form with another token', post(own, `form_token=${'0'.repeat(64)}`), 403],
      ['another method', { method: 'PUT', headers: { cookie, ...own } }, 405],
      [
        'a file sent to a form that takes none',
        post({ ...own, 'content-type': 'multipart/form-data; boundary=x' }),
        415,
      ],
      [
        'a fetch of another origin that sends files',
        {
          ...post({ origin: 'https://evil.example', 'content-type': 'multipart/form-data; boundary=x' }),
          path: '/conversations/ask',
        },
        403,
      ],
      [
        'files without the token',
        {
          ...post({ ...own, 'content-type': 'multipart/form-data; boundary=x' }, '--x--\r\n'),
          path: '/conversations/ask',
        },
        403,
      ],
      [
        'a form that breaks off',
        {
          ...post({ ...own, 'content-type': 'multipart/form-data; boundary=x' }, '--x\r\nContent-'),
          path: '/conversations/ask',
        },
        403,
      ],
      ['a path that climbs, decoded', { path: '/assets/../../package.json', headers: { cookie } }, 404],
      ['a path that climbs', { path: '/assets/..%2f..%2fpackage.json', headers: { cookie } }, 404],
      ['a page that does not exist', { path: '/nothing', headers: { cookie } }, 404],
    ];
    const seen = [];
    for (const [what, knock, _] of matrix) {
      const reply = await page.ask(knock);
      seen.push([what, reply.status]);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
      expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(reply.headers['x-content-type-options']).toBe('nosniff');
    }
    expect(seen).toEqual(matrix.map(([what, _, status]) => [what, status]));
    const { status, headers } = await page.ask(post(own));
    expect([status, headers.location]).toEqual([303, '/']);
    expect((await page.ask({ path: '/index.json', headers: { cookie } })).status).toBe(401);
  });

  it('signs in one browser for each login address, and the address is in no file that lasts', async () => {
    const page = await servePage();
    const { pathname } = new URL(page.login);
    const shown = await page.ask({ path: pathname });
    expect(shown.status).toBe(200);
    expect(shown.headers['set-cookie']).toBeUndefined();
    const cookie = await signIn(page);
    expect(cookie).toMatch(/^ken=[0-9a-f]{64}$/);
    for (const method of ['GET', 'POST'])
      expect((await page.ask({ method, path: pathname, headers: ownForm(page.host) })).status).toBe(403);
    const reply = await page.ask({ headers: { cookie } });
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['referrer-policy']).toBe('no-referrer');
    expect(reply.headers['content-security-policy']).not.toContain('unsafe');
    const directory = path.join(page.sandbox.home, 'state/web');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
    const [record = ''] = files.map((file) => readFileSync(path.join(directory, file), 'utf8'));
    expect(Object.keys(JSON.parse(record))).toEqual(['pid', 'port']);
    expect(JSON.parse(record).port).toBe(Number(page.host.split(':')[1]));
    page.pty.type(CTRL_C);
    await page.pty.ended();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('loads itself again before it asks a browser without a cookie to sign in', async () => {
    const page = await servePage();
    const first = await page.ask({ path: '/search?q=tea' });
    expect(first.status).toBe(401);
    expect(first.body).toContain('content="0;url=/search?q=tea&amp;again=1"');
    const second = await page.ask({ path: '/search?q=tea&again=1' });
    expect(second.status).toBe(401);
    expect(second.body).toContain('ken web --print-login');
    expect(second.body).not.toContain('http-equiv');
    // Such a path would lead to another host.
    for (const path of ['//evil.example/x', '/\\evil.example/x', '///evil.example'])
      expect((await page.ask({ path })).body).not.toContain('evil.example');
  });

  it.skipIf(process.getuid?.() !== 0)('is nothing to another account of this machine', async () => {
    const page = await servePage();
    const directory = path.join(page.sandbox.home, 'state/web');
    const [socket = ''] = readdirSync(directory).filter((file) => file.endsWith('.sock'));
    const port = new URL(`http://${page.host}`).port;
    const program = `
      const { connect } = require('node:net'); const { request } = require('node:http');
      const told = [];
      try { require('node:fs').readdirSync(${JSON.stringify(directory)}); told.push('listed'); } catch (error) { told.push(error.code); }
      connect(${JSON.stringify(path.join(directory, socket))})
        .on('connect', () => told.push('connected')).on('error', (error) => { told.push(error.code);
          request({ host: '127.0.0.1', port: ${port}, path: '/index.json', headers: { host: ${JSON.stringify(page.host)} } },
            (response) => { told.push(response.statusCode); response.resume(); console.log(JSON.stringify(told)); }).end();
        });`;
    const { stdout } = spawnSync(process.execPath, ['-e', program], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual(['EACCES', 'EACCES', 401]);
  });

  it('has one page for a workspace; others print its address, and a new login', async () => {
    const page = await servePage();
    const at = {
      directory: page.sandbox.root,
      environment: { HOME: page.sandbox.home, KEN_HOME: page.sandbox.home, TERM: 'dumb' },
    };
    const second = await openPty('ken web', at).ended();
    expect(second.code).toBe(0);
    expect(second.output).toContain('The page of this workspace is already running.');
    const third = await openPty('ken web --print-login', at).ended();
    const logins = [second, third].map(
      ({ output }) => /http:\S+\/login\/[0-9a-f]{64}/.exec(output)?.[0] ?? '',
    );
    expect(new Set([page.login, ...logins]).size).toBe(3);
    for (const login of logins) expect(await signIn(page, login)).toMatch(/^ken=/);
    const fromProgram = await page.sandbox.ken(['web']);
    expect(fromProgram.stdout).toBe(`http://${page.host}/\n`);
    const refused = await page.sandbox.ken(['web', '--print-login']);
    expect([refused.code, refused.stdout]).toEqual([4, '']);
    expect(refused.stderr).toContain('Signing in to the page needs you: there is no person at a terminal.');
  });

  it('never gives its cookie to another server on this machine', async () => {
    const page = await servePage();
    const { headers } = await page.ask({
      method: 'POST',
      path: new URL(page.login).pathname,
      headers: ownForm(page.host),
      body: '',
    });
    // Without a Domain the cookie belongs to this very name, which no other server has.
    expect(headers['set-cookie']?.[0]).toMatch(/^ken=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(page.host).toMatch(/^ken-[0-9a-f]{32}\.localhost:\d+$/);
  });

  it('opens a browser on a file of its own, so that no list of processes shows the login', async () => {
    const place = sandbox('');
    const environment = { HOME: place.home, KEN_HOME: place.home, TERM: 'dumb', DISPLAY: ':no-such-display' };
    const pty = openPty('ken web', { directory: place.root, environment });
    await pty.waitFor('Ctrl-C ends the page.');
    const [login = ''] = /http:\S+\/login\/[0-9a-f]{64}/.exec(pty.output()) ?? [];
    const directory = path.join(place.home, 'state/web');
    const [name = ''] = readdirSync(directory).filter((file) => file.endsWith('.html'));
    const file = path.join(directory, name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(`content="0;url=${login}"`);
    const token = login.split('/').at(-1) ?? '';
    expect(spawnSync('ps', ['-eo', 'args', '-ww'], { encoding: 'utf8' }).stdout).not.toContain(token);
    // It is gone with the first sign-in.
    await signIn(servedAt(place, login));
    await expect.poll(() => existsSync(file)).toBe(false);
    pty.type(CTRL_C);
    await pty.ended();
  });

  it('bounds what a client may send, and serves others meanwhile', async () => {
    const page = await servePage();
    const cookie = await signIn(page);
    const large = await page.ask({
      method: 'POST',
      path: '/sign-out',
      headers: { cookie, ...ownForm(page.host), 'content-length': String(3 * 1024 * 1024) },
    });
    expect(large.status).toBe(413);
    expect((await page.ask({ headers: { cookie, 'x-long': 'x'.repeat(20_000) } })).status).toBe(431);
    const upload = { ...ownForm(page.host), cookie, 'content-type': 'multipart/form-data; boundary=x' };
    const huge = { ...upload, 'content-length': String(25 * 1024 * 1024) };
    expect((await page.ask({ method: 'POST', path: '/conversations/ask', headers: huge })).status).toBe(413);
    // Without a length, the body is counted as it comes; the server may hang up before all of it was sent.
    const port = Number(page.host.split(':')[1]);
    const counted = { ...ownForm(page.host), cookie, host: page.host, 'transfer-encoding': 'chunked' };
    const body = `form_token=${await formToken(page, cookie)}&more=${'x'.repeat(3 * 1024 * 1024)}`;
    expect(await sentRaw(port, counted, body)).not.toMatch(/^HTTP\/1.1 [23]/);
    expect((await page.ask({ headers: { cookie } })).status).toBe(200);
    const slow = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => slow.forEach((socket) => void socket.destroy()));
    for (const socket of slow) {
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1\r\nHost: ');
    }
    expect((await page.ask({ headers: { cookie } })).status).toBe(200);
  });

  it('is read only where the operator is not present: no form, and no route', async () => {
    const page = await servePage(sandbox(''), '--read-only');
    const cookie = await signIn(page);
    const { body } = await page.ask({ headers: { cookie } });
    expect(body).toContain('Read only');
    expect(body).not.toContain('form_token');
    expect(body).not.toContain('method="post"');
  });

  it('takes a plain address when asked to, with a warning', async () => {
    const page = await servePage(sandbox(''), '--plain-host');
    expect(page.host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(page.pty.output()).toContain('other servers on this machine receive the cookie');
  });

  it('says so when its port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const at = sandbox('');
    const { code, stderr } = await at.ken(['web', '--port', String(port)]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} of 127.0.0.1 cannot be opened.`);
    expect(existsSync(path.join(at.home, 'state/web'))).toBe(false);
  });
});

describe('what a browser gets', () => {
  it('has at most 40 KB of scripts, and nothing that names another host', () => {
    const script = readFileSync(builtFile('web/client.js'));
    const style = readFileSync(builtFile('web/style.css'), 'utf8');
    expect(gzipSync(script).length).toBeLessThan(40_000);
    expect(`${script}${style}`).not.toMatch(/https?:|url\(|@import/);
  });

  it('comes from templates of ASCII alone, which the bundle needs', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them.
    expect(readFileSync(builtFile('web.cjs'), 'latin1')).toMatch(/^[\u0000-\u007f]*$/);
  });
});

/** The answer of the server before it hangs up. */
function sentRaw(port: number, headers: Readonly<Record<string, string>>, body: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (data: string) => {
      answer += data;
      if (answer.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /sign-out HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  });
}

const FORM = 'application/x-www-form-urlencoded';

function from(site: string, mode: string, dest: string): Record<string, string> {
  return { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
}
