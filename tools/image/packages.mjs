// Prints the folders of the npm packages that the lab needs to run, one a line. package-lock.json says which.
// usage: packages.mjs   (in the project's root)
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const needed = new Set()

/** Where Node finds a package from this folder: in its node_modules, else in that of a folder above. */
function find(name, from) {
  for (let folder = from; ; folder = folder === '.' ? '' : dirname(folder)) {
    const place = folder === '.' || folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[place]) return place
    if (folder === '' || folder === '.') return null
  }
}

function add(from) {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[from]
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const place = find(name, from)
    if (!place || needed.has(place)) continue
    needed.add(place)
    add(place)
  }
}

add('loadtests')
// A package inside another comes along with it.
for (const place of [...needed].sort())
  if (![...needed].some((other) => place.startsWith(`${other}/`))) console.log(place)
