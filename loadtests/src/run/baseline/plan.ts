import { z } from 'zod'
import type { Plan } from '../../chart/plan.ts'
import type { Values } from '../../model/profile/experiment.ts'

/** What the values of a bare server may contain. */
const schema = z.strictObject({
  server: z.enum(['http', 'express']).default('http'),
  /** Workers of Node's cluster module; 0 runs without it. */
  cluster: z.number().int().min(0).max(64).default(0),
  /** Separate servers behind a balancer. */
  replicas: z.number().int().min(1).max(64).default(1),
  /** Cores and MiB for each replica, with all its workers. */
  limits: z
    .strictObject({
      cpu: z.number().positive().nullable().default(null),
      memory: z.number().positive().nullable().default(null),
    })
    .prefault({}),
})

/** What is wrong with the values, a line for each value. */
export class ServerRefused extends Error {}

/** A server without n8n, as a plan like the chart's, so that the same code runs both. */
export function planServer(values: Values): Plan {
  const parsed = schema.safeParse(values)
  if (!parsed.success) throw new ServerRefused(parsed.error.issues.map(sentence).join('\n'))
  const { server, cluster, replicas, limits } = parsed.data
  const container = {
    name: 'server',
    image: { repository: 'bare-server', tag: server },
    command: null,
    args: [],
    env: { SERVER: server, CLUSTER: String(cluster), PORT: '8080', METRICS_PORT: '9090' },
    secrets: [],
    ports: [
      { name: 'http', port: 8080 },
      { name: 'metrics', port: 9090 },
    ],
    limits: { cpu: limits.cpu, memory: limits.memory && limits.memory * 2 ** 20 },
    mounts: [],
    readiness: { path: '/metrics', port: 'metrics' },
    user: null,
    readOnlyRoot: false,
  }
  return {
    values,
    tier: null,
    workloads: [
      { name: 'server', component: 'server', replicas, init: [], containers: [container], volumes: [], grace: 1 },
    ],
    services: [{ name: 'server', port: 8080, targetPort: 'http', component: 'server' }],
  }
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${[...issue.path, issue.keys[0]].join('.')}: there is no such value.`
  return `${issue.path.join('.')}: ${issue.message}.`
}
