// Installs PACKAGES where n8n looks for community nodes. Each is `name@version` or a URL, which npm fetches, or the
// path of an archive in the pod. Removes packages that an earlier value named and this one does not.
const { execFileSync } = require('child_process')
const { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } = require('fs')
const { dirname, join } = require('path')

const home = process.env.NODES_FOLDER || '/home/node/.n8n/nodes'
const modules = join(home, 'node_modules')
const record = join(home, 'n8n-tuned-installed.json')
const work = join(home, '.n8n-tuned-installing')

const readJson = (file, otherwise) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise)
const remove = (path) => rmSync(path, { recursive: true, force: true })
const npm = (folder, ...args) =>
  execFileSync('npm', [...args, '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })

const archive = (spec) => (spec.startsWith('/') ? spec : join(work, npm(work, 'pack', spec).trim().split('\n').pop()))

/** Installs a package and returns its name. */
function install(spec) {
  const [, name, version] = /^(@?[^@]+)@(\d.*)$/.exec(spec) || []
  if (name && readJson(join(modules, name, 'package.json'), {}).version === version) return name

  const folder = mkdtempSync(join(work, 'package-'))
  execFileSync('tar', ['-xzf', archive(spec), '-C', folder, '--strip-components=1'])
  const found = readJson(join(folder, 'package.json'), {})
  if (!/^(@[\w.-]+\/)?n8n-nodes-[\w.-]+$/.test(found.name)) {
    throw new Error(`Expected a package whose name begins with n8n-nodes-, got ${found.name}: n8n loads no other.`)
  }
  if (Object.keys(found.dependencies || {}).length > 0) {
    // Its peer dependencies come with n8n; npm would ask the registry for them even if it omits them.
    for (const kind of ['devDependencies', 'optionalDependencies', 'peerDependencies']) delete found[kind]
    writeFileSync(join(folder, 'package.json'), JSON.stringify(found, null, 2))
    npm(folder, 'install', '--no-package-lock', '--no-audit', '--no-fund')
  }
  const place = join(modules, found.name)
  mkdirSync(dirname(place), { recursive: true })
  remove(place)
  renameSync(folder, place)
  console.log(`installed ${found.name} ${found.version}`)
  return found.name
}

const earlier = readJson(record, [])
remove(work)
mkdirSync(work, { recursive: true })
const installed = process.env.PACKAGES.split(' ').map((spec) => {
  try {
    return install(spec)
  } catch ({ message }) {
    console.error(`${spec} of communityNodes.packages could not be installed. ${message}`)
    process.exit(1)
  }
})
earlier.filter((name) => !installed.includes(name)).forEach((name) => remove(join(modules, name)))
writeFileSync(record, JSON.stringify(installed))
remove(work)
