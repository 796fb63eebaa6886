/** Why a metric is not compared. All other metrics have to be the same on both sides. */
const unequal: [RegExp, string][] = [
  [/^n8n_(nodejs|process)_/, 'memory, CPU time and lag of the process'],
  [/_(seconds|bytes)(_bucket|_sum|_total)?$/, 'how long it took and how large it was'],
  [/_version_info/, 'names the start'],
  [/^n8n_tuned_/, 'the patches tell of themselves'],
  [
    /^n8n_(cache|last_activity|active_workflow_count)/,
    'depends on when it is asked: caches expire and counts are refreshed now and then',
  ],
  [/^n8n_scaling_mode_queue/, 'read from Redis now and then'],
  [/^n8n_(expression|token_exchange)/, 'how often isolates were made, which is what patches save'],
  [/^n8n_http_request/, 'the requests of this suite that wait for something are among them'],
]

export async function metricsOf(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  const samples = lines.map((line): [string, number] => [
    line.slice(0, line.lastIndexOf(' ')),
    Number(line.slice(line.lastIndexOf(' ') + 1)),
  ])
  return Object.fromEntries(samples.filter(([name]) => !unequal.some(([pattern]) => pattern.test(name.split('{')[0]!))))
}
