// Creates the Secret of MANIFEST with random values for KEYS. An existing Secret stays unchanged, because n8n has to
// decrypt what it encrypted with it.
const { randomBytes } = require('crypto')
const { readFileSync } = require('fs')
const https = require('https')

const account = (file) => readFileSync(`/var/run/secrets/kubernetes.io/serviceaccount/${file}`)
const secret = JSON.parse(process.env.MANIFEST)
secret.stringData = Object.fromEntries(process.env.KEYS.split(' ').map((key) => [key, randomBytes(24).toString('hex')]))

const options = {
  method: 'POST',
  host: process.env.KUBERNETES_SERVICE_HOST,
  port: process.env.KUBERNETES_SERVICE_PORT,
  path: `/api/v1/namespaces/${secret.metadata.namespace}/secrets`,
  ca: account('ca.crt'),
  headers: { authorization: `Bearer ${account('token')}`, 'content-type': 'application/json' },
}
const said = { 201: 'generated', 409: 'there already, left as it is' }
const fail = (why) => { console.error(`Secret ${secret.metadata.name}: ${why}`); process.exit(1) }
https.request(options, ({ statusCode }) => {
  if (!said[statusCode]) fail(`the Kubernetes API answered ${statusCode}`)
  console.log(`Secret ${secret.metadata.name}: ${said[statusCode]}`)
  process.exit(0)
}).on('error', fail).end(JSON.stringify(secret))
