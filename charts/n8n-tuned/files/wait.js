// Waits until this pod can start, at most WAIT_SECONDS. For tcp://host:port: until it accepts connections. For
// `schema`: until the database has every migration that this image's n8n knows. For `publication`: until main has
// published each active workflow, because a webhook processor does not know the others. After that n8n starts in any
// case.
const net = require('net')

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const accepts = (target) => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(target)
  // An IPv6 address is in brackets in the URL.
  const socket = net.connect({ host: hostname.replace(/[[\]]/g, ''), port })
  socket.on('connect', () => resolve(true)).on('error', reject).on('close', () => resolve(false))
  setTimeout(() => socket.destroy(), 3000).unref()
})

async function askPostgresql(ask) {
  const require = n8n()
  const client = await connectPostgresql(require)
  try {
    return await ask(client, require)
  } finally {
    await client.end()
  }
}

/** Whether no workflow waits for main. As in n8n itself, one whose last publication failed does not wait. */
async function published(client) {
  const workflows = tableOf('workflow_entity')
  const { rows: [{ found }] } = await client.query('SELECT to_regclass($1) IS NOT NULL AS found', [workflows])
  if (!found) return true // A new database has no workflows.
  const outbox = tableOf('workflow_publication_outbox')
  const { rows: [{ count }] } = await client.query(
    `SELECT count(*) FROM ${workflows} AS workflow
    WHERE "activeVersionId" IS NOT NULL
    AND NOT EXISTS (SELECT FROM ${tableOf('workflow_published_version')} WHERE "workflowId" = workflow.id)
    AND NOT EXISTS (
      SELECT FROM ${outbox} AS last
      WHERE "workflowId" = workflow.id AND status = 'failed' AND "publishedVersionId" = workflow."activeVersionId"
      AND id = (SELECT max(id) FROM ${outbox} WHERE "workflowId" = workflow.id)
    )`,
  )
  return count === '0' || `active workflows without one: ${count}`
}

const asked = { schema: migrated, publication: published }

async function wait(target) {
  const ask = asked[target]
  const there = () => (ask ? askPostgresql(ask) : accepts(target)).catch(({ message }) => message)
  // Asking a closed port costs nothing, but asking the database takes a connection.
  const pause = ask ? 1000 : 250
  for (let last; ; await sleep(pause)) {
    // However a try ends, the next one follows.
    const answer = await Promise.race([there(), sleep(12000)])
    if (answer === true) return
    const said = `waiting for ${target}${typeof answer === 'string' ? `: ${answer}` : ''}`
    if (said !== last) console.log(said)
    last = said
  }
}

process.on('SIGTERM', () => process.exit(143))
setTimeout(() => {
  console.log(`waited ${env.WAIT_SECONDS} s: n8n starts without`)
  process.exit(0)
}, Number(env.WAIT_SECONDS) * 1000)
// At once, because an open connection would keep the pod waiting.
Promise.all(env.WAIT_FOR.split(' ').map(wait)).then(() => process.exit(0))
