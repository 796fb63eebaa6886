import { at, drop, dropGiven, isGiven, leftOut, listAt, put, textAt, type Draft } from './draft.ts'

/** Other services that n8n would call: the licence server, mail, single sign-on, S3. */
export function noOtherServices({ values, aside }: Draft): void {
  noLicence({ values, aside })
  ownFiles({ values, aside })
  const gone = dropGiven(values, ['smtp', 'sso', 'logStreaming', 'telemetry.enabled'])
  if (gone.length) aside(gone, leftOut, 'n8n sends no mail, events or usage data, and nobody signs in')
  const trusted = dropGiven(values, ['customCA'])
  if (trusted.length) aside(trusted, leftOut, 'Calls to hosts with such a certificate fail')
}

/** Activating it would take a seat. */
function noLicence({ values, aside }: Draft): void {
  if (!isGiven(at(values, 'license.existingSecret.name'))) return
  drop(values, 'license')
  aside('license', leftOut, 'What takes a licence is off')
  const pools = listAt(values, 'worker.pools')
  if (pools.length) {
    drop(values, 'worker.pools')
    aside(
      pools.map((pool) => `worker.pools ${String(pool.name)}`),
      leftOut,
      'A pool takes a licence: its executions and its CPU are not measured',
    )
  }
  const mains = Number(at(values, 'main.replicas'))
  if (mains > 1) {
    put(values, 'main.replicas', 1)
    aside(`main.replicas ${mains}`, '1', 'Several mains take a licence: there is less CPU for what main does')
  }
}

const stored = new Set<unknown>(['s3', 'azure'])

/** Files of workflows go where n8n keeps them without a bucket. */
function ownFiles({ values, aside }: Draft): void {
  if (!stored.has(at(values, 'binaryData.mode'))) return
  const bucket = textAt(values, 'binaryData.s3.bucket')
  const queue = at(values, 'executions.mode') === 'queue'
  values.binaryData = { mode: queue ? 'database' : 'filesystem' }
  aside(
    `binaryData in the bucket ${bucket}`,
    queue ? 'PostgreSQL' : 'a new volume',
    'Workflows with files write elsewhere',
  )
}
