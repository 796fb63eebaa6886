// Shows that n8n works, not only that it listens: READY answers 200, and WEBHOOK answers with the result from a pod
// whose name contains EXECUTES.
const { get: getByHttp } = require('http')
const { get: getByHttps } = require('https')

const get = (url) => new Promise((resolve) => {
  const request = url.startsWith('https:') ? getByHttps : getByHttp
  request(url, { timeout: 30000 }, (answer) => {
    let body = ''
    answer.on('data', (chunk) => (body += chunk)).on('end', () => resolve({ status: answer.statusCode, body }))
  }).on('timeout', function () { this.destroy(new Error('no answer for 30 s')) })
    .on('error', ({ message }) => resolve({ status: message, body: '' }))
})

async function expect(what, url, right) {
  let answer
  // n8n reports itself ready a while before its webhooks answer.
  for (const end = Date.now() + 60000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 1000))) {
    answer = await get(url)
    if (right(answer)) return console.log(`${what}: ${url} ${answer.status} ${answer.body.slice(0, 200)}`)
  }
  throw new Error(`Expected ${what} of ${url}, got ${answer.status} ${answer.body.slice(0, 500)}`)
}

/** Whether each patch was verified on the n8n in this image; the pods run the same image. */
function expectPatches(asked) {
  const { execFileSync } = require('child_process')
  const { decideAll, rootOf, tell } = require('/opt/n8n-tuned/patches/loader.js')
  const command = execFileSync('sh', ['-c', 'readlink -f "$(command -v n8n)"'], { encoding: 'utf8' }).trim()
  const decisions = decideAll(rootOf(command), asked)
  if (decisions.some(({ state }) => state !== 'applied'))
    throw new Error(`Expected every patch to fit this n8n, got: ${tell(decisions)}`)
  console.log(tell(decisions))
}

async function test({ READY, WEBHOOK, EXECUTES, N8N_TUNED_PATCHES }) {
  if (N8N_TUNED_PATCHES) expectPatches(N8N_TUNED_PATCHES)
  for (const url of new Set(READY.split(' '))) await expect('readiness', url, ({ status }) => status === 200)
  if (!WEBHOOK) return console.log('Nothing was executed: loadtest.enabled brings a workflow for that.')
  await expect(`an answer of a pod *${EXECUTES}*`, WEBHOOK, ({ status, body }) => {
    try {
      return status === 200 && JSON.parse(body).host.includes(EXECUTES)
    } catch {
      return false
    }
  })
}

test(process.env).catch(({ message }) => { console.error(message); process.exitCode = 1 })
