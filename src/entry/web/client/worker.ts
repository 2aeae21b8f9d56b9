/** Holds the one stream that all tabs of the page share, as long as there is a tab. */

const ports = new Set<MessagePort>();
let source: EventSource | undefined;
let last: string | undefined;

function tell(data: string): void {
  if (data !== 'lost') last = data;
  for (const port of ports) port.postMessage(data);
}

function come(port: MessagePort): void {
  ports.add(port);
  if (last !== undefined) port.postMessage(last);
  // A stream that the server has refused, such as after signing out, is not opened again by the browser.
  if (source && source.readyState !== EventSource.CLOSED) return;
  source = new EventSource('/events');
  source.addEventListener('state', (event) => tell(String(event.data)));
  source.addEventListener('error', () => tell('lost'));
  source.addEventListener('open', () => {
    if (last !== undefined) tell(last);
  });
}

function leave(port: MessagePort): void {
  ports.delete(port);
  if (ports.size > 0) return;
  source?.close();
  source = undefined;
  last = undefined;
}

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  port.addEventListener('message', ({ data }) => (data === 'leave' ? leave(port) : come(port)));
  port.start();
  come(port);
});
