// Package, lab, lock file and chart have one version, and the changelog describes it.
// usage: versions.mjs VERSION
import { readFileSync } from 'node:fs'

const expected = process.argv[2]
const json = (path) => JSON.parse(readFileSync(path, 'utf8'))
const lock = json('package-lock.json')
const found = {
  'package.json': json('package.json').version,
  'loadtests/package.json': json('loadtests/package.json').version,
  'package-lock.json': lock.version,
  'package-lock.json, n8n-nodes-tuned': lock.packages[''].version,
  'package-lock.json, loadtests': lock.packages.loadtests.version,
  'charts/n8n-tuned/Chart.yaml': readFileSync('charts/n8n-tuned/Chart.yaml', 'utf8').match(/^version: *(\S+)/m)?.[1],
  'CHANGELOG.md': readFileSync('CHANGELOG.md', 'utf8').match(/^## (\d\S*)/m)?.[1],
}
const wrong = Object.entries(found).filter(([, version]) => version !== expected)
for (const [file, version] of wrong) console.error(`${file}: Expected version ${expected}, got ${version}.`)
process.exitCode = wrong.length > 0 ? 1 : 0
