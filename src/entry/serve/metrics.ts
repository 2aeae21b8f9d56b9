/** Counters and times in the OpenMetrics text format. */

export interface Metrics {
  count(name: CounterName, labels?: Readonly<Record<string, string>>): void;
  /** `seconds` is how long a request took. */
  observe(seconds: number): void;
  text(): string;
}

const COUNTERS = {
  ken_requests_total: 'Answered requests by kind and status.',
  ken_denied_total: 'Calls that were refused.',
  ken_limited_total: 'Requests over the limit.',
} as const;
export type CounterName = keyof typeof COUNTERS;

const BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10];

export function newMetrics(startedMs: number): Metrics {
  const counts = new Map<string, number>();
  const times = BUCKETS.map(() => 0);
  let sum = 0;
  let number = 0;
  return {
    count(name, labels = {}) {
      const key = `${name}${labelText(labels)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    observe(seconds) {
      sum += seconds;
      number += 1;
      for (const [at, limit] of BUCKETS.entries()) if (seconds <= limit) times[at] = (times[at] ?? 0) + 1;
    },
    text() {
      const counters = Object.entries(COUNTERS).flatMap(([name, help]) => {
        const family = name.replace(/_total$/, '');
        const rows = [...counts].filter(([key]) => key === name || key.startsWith(`${name}{`));
        const lines = rows.length > 0 ? rows : [[name, 0] as const];
        return [
          `# TYPE ${family} counter`,
          `# HELP ${family} ${help}`,
          ...lines.map(([key, value]) => `${key} ${value}`),
        ];
      });
      const histogram = [
        '# TYPE ken_request_seconds histogram',
        '# UNIT ken_request_seconds seconds',
        ...BUCKETS.map((limit, at) => `ken_request_seconds_bucket{le="${limit}"} ${times[at]}`),
        `ken_request_seconds_bucket{le="+Inf"} ${number}`,
        `ken_request_seconds_sum ${sum}`,
        `ken_request_seconds_count ${number}`,
      ];
      const start = ['# TYPE ken_start_time_seconds gauge', `ken_start_time_seconds ${startedMs / 1000}`];
      return [...counters, ...histogram, ...start, '# EOF', ''].join('\n');
    },
  };
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '_')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
