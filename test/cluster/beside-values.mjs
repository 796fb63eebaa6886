// What values expect to find in their namespace: Secrets, a claim, and PostgreSQL and Redis at the hosts they name.
// Printed for kubectl. A name of several labels gets a Service of its first one: give the chart that.
// usage: node test/cluster/beside-values.mjs VALUES
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const values = parse(readFileSync(process.argv[2], 'utf8'))
const password = 'of-this-test'
const of = (apiVersion, kind, name, rest) => ({ apiVersion, kind, metadata: { name, labels: { app: name } }, ...rest })

/** Every existingSecret of the values, its keys together. */
function* secretsIn(value) {
	for (const [key, one] of Object.entries(value ?? {})) {
		if (key === 'existingSecret' && one?.name) yield { name: one.name, key: one.key ?? 'password' }
		else if (key === 'secretKeyRef' && one?.name) yield one
		else if (typeof one === 'object') yield* secretsIn(one)
	}
}
const byName = Map.groupBy(secretsIn(values), ({ name }) => name)
const secrets = [...byName].map(([name, keys]) =>
	of('v1', 'Secret', name, { stringData: Object.fromEntries(keys.map(({ key }) => [key, password])) }),
)

const claim = values.persistence?.existingClaim
const claims = claim
	? [
			of('v1', 'PersistentVolumeClaim', claim, {
				spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
			}),
		]
	: []

const { database = {}, redis = {} } = values
const asks = redis.password?.existingSecret?.name ? ['--requirepass', password] : []
const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
const mounts = [{ name: 'data', mountPath: '/data' }]
const served = (name, port, container) => [
	of('v1', 'Service', name, { spec: { selector: { app: name }, ports: [{ port }] } }),
	of('v1', 'Pod', name, {
		spec: {
			securityContext: {
				runAsNonRoot: true,
				runAsUser: 999,
				runAsGroup: 999,
				fsGroup: 999,
				seccompProfile: { type: 'RuntimeDefault' },
			},
			containers: [{ name, securityContext: restricted, volumeMounts: mounts, ...container }],
			volumes: [{ name: 'data', emptyDir: {} }],
		},
	}),
]
const postgresql = () =>
	served('postgres', database.port ?? 5432, {
		image: 'postgres:15',
		env: Object.entries({
			PGDATA: '/data/pgdata',
			POSTGRES_DB: database.name ?? 'n8n',
			POSTGRES_USER: database.user ?? 'n8n',
			POSTGRES_PASSWORD: password,
		}).map(([name, value]) => ({ name, value })),
	})
const keyValue = () =>
	served('redis', redis.port ?? 6379, {
		image: 'redis:7.0',
		command: ['redis-server', '--dir', '/data', ...asks],
	})

const items = [
	...secrets,
	...claims,
	...(database.type === 'external' ? postgresql() : []),
	...(redis.type === 'external' ? keyValue() : []),
]
console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
