// Adds an n8n release to charts/n8n-tuned/files/verified-n8n.json: which patches fit it, and the hash of each source
// that they change. usage: node tools/verified-n8n.cjs VERSION FOLDER-OF-ITS-PACKAGES [LIST]; tools/verify-n8n tests it
// after.
const { readdirSync, readFileSync, writeFileSync } = require('fs')
const { join } = require('path')

const files = join(__dirname, '../charts/n8n-tuned/files')
const [version, folder, list = join(files, 'verified-n8n.json')] = process.argv.slice(2)
const { hash, locate } = require(join(files, 'patches/loader.js'))
const verified = JSON.parse(readFileSync(list, 'utf8'))
const root = join(folder, 'node_modules/n8n')

/** Why a patch does not fit this n8n; nothing if it fits. */
function misfit(modules) {
	for (const [place, { edit, read }] of Object.entries(modules)) {
		const file = locate(root, place)
		if (!file) return `${place} is missing`
		const source = readFileSync(file, 'utf8')
		if ((edit ?? read)?.(source) === source) return `${place} has nothing of what it changes`
	}
}

for (const file of readdirSync(join(files, 'patches'))
	.filter((name) => !/^(loader|metrics)\.js$/.test(name))
	.sort()) {
	const name = file.replace(/\.js$/, '')
	const { modules, line = version } = require(join(files, 'patches', file))
	const reason = version.startsWith(line) ? misfit(modules) : `it is for ${line}x`
	if (reason) {
		console.log(`${name}: does not fit n8n ${version}: ${reason}.`)
		continue
	}
	const entry = (verified[name] ??= { n8n: [], modules: {} })
	const places = Object.keys(modules)
	const isKnown = places.every((place) => entry.modules[place]?.includes(hash(locate(root, place))))
	for (const place of places)
		entry.modules[place] = [...new Set([...(entry.modules[place] ?? []), hash(locate(root, place))])]
	entry.n8n = [...new Set([...entry.n8n, version])].sort()
	console.log(`${name}: ${isKnown ? 'the sources are ones it was verified on' : 'new sources, to be tested'}.`)
}
writeFileSync(list, `${JSON.stringify(verified, null, 2)}\n`)
