// Writes /licenses of the image: README.md, which lists each part with its version and licence, and the texts. k6 and
// Helm have the licences of every Go module in them, which Go notes in each program.
// usage: licences.mjs ROOT   (in the project's root)
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [root] = process.argv.slice(2)
const isText = /^(licen[cs]e|copying|notice|patents)/i
const rows = []
const unknown = []

/** From the most particular to the most general, as some texts quote others. */
const known = [
  ['AGPL-3.0', /GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/],
  ['MPL-2.0', /Mozilla Public License,? (v\.|version) ?2\.0/i],
  ['Apache-2.0', /Apache License\s+Version 2\.0/],
  ['BSD-3-Clause', /Redistribution and use in source and binary forms[^]*(Neither|names? of|contributors may be used)/],
  ['BSD-2-Clause', /Redistribution and use in source and binary forms/],
  ['ISC', /Permission to use, copy, modify, and\/?(or)? distribute/],
  ['MIT', /Permission is hereby granted, free of charge/],
  ['Unlicense', /free and unencumbered software released into the public domain/],
]

/** Parts of k6 whose modules say nothing of a licence. A further one fails, so that somebody looks at it. */
const unstated = [
  'buf.build/gen/go/prometheus/prometheus/protocolbuffers/go',
  'github.com/grafana/k6-cloud-openapi-client-go',
]

/** Copies the texts of a part, and notes it in the list. */
function add(name, version, from, licence) {
  const files = readdirSync(from, { withFileTypes: true }).filter((file) => file.isFile() && isText.test(file.name))
  const to = join('licenses', name)
  mkdirSync(join(root, to), { recursive: true })
  for (const file of files) cpSync(join(from, file.name), join(root, to, file.name))
  const text = files.map((file) => readFileSync(join(from, file.name), 'utf8')).join('\n')
  const found =
    licence ?? known.find(([, words]) => words.test(text))?.[0] ?? (unstated.includes(name) ? 'not stated' : null)
  if (!found) unknown.push(`${name} ${version} (${from})`)
  rows.push({ name, version, licence: found, texts: files.length > 0 ? `/${to}` : 'none' })
}

const json = (file) => JSON.parse(readFileSync(file, 'utf8'))
const lab = json('loadtests/package.json')
add('n8n-tuned', lab.version, '.', lab.license)

const packages = execFileSync(process.execPath, ['tools/image/packages.mjs'], { encoding: 'utf8' }).trim().split('\n')
for (const folder of packages) {
  const { name, version, license } = json(join(folder, 'package.json'))
  add(name, version, folder, license)
}

/** `go version -m` lists the modules that were compiled into a program. */
const modules = new Map()
for (const program of ['k6', 'helm']) {
  const built = execFileSync('go', ['version', '-m', join(root, 'usr/local/bin', program)], { encoding: 'utf8' })
  let last = null
  for (const [, kind, path, version] of built.matchAll(/^\t(mod|dep|=>)\t(\S+)\t(\S+)/gm)) {
    // A module that was replaced is the other one.
    if (kind === '=>') modules.delete(last)
    last = `${path}@${version}`
    modules.set(last, { path, version })
  }
}
const found = execFileSync('go', ['mod', 'download', '-json', ...modules.keys()], {
  cwd: 'tools',
  encoding: 'utf8',
  maxBuffer: 64 * 2 ** 20,
})
for (const { Path, Version, Dir } of JSON.parse(`[${found.trim().replaceAll(/\}\s*\{/g, '},{')}]`))
  add(Path, Version, Dir)
const goroot = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim()
const go = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim()
add('go', go, goroot, 'BSD-3-Clause')

if (unknown.length > 0) throw new Error(`Expected a licence for each part, found none of ${unknown.join(', ')}.`)

const k6 = rows.find(({ name }) => name === 'go.k6.io/k6')
writeFileSync(
  join(root, 'licenses/README.md'),
  [
    '# What this image holds',
    '',
    `k6 ${k6.version} is under the AGPL, unchanged. Its source is https://github.com/grafana/k6/tree/${k6.version}.`,
    'Node.js and Debian are those of the base image: /usr/local/LICENSE and /usr/share/doc/*/copyright.',
    '',
    '| Part | Version | Licence | Text |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ name, version, licence, texts }) => `| ${name} | ${version} | ${licence} | ${texts} |`),
    '',
  ].join('\n'),
)
