// At its start n8n copies its editor's thousand files, for the sake of the few in which it replaces a text, and
// then serves the copies before the originals. Here it copies those few, which its own code names the texts of.
// An n8n that does it in another way is left as it is.
const fs = require('fs')
const Module = require('module')
const path = require('path')

const load = Module._load

Module._load = function (request, parent, ...rest) {
  const loaded = load.call(this, request, parent, ...rest)
  return request === 'fast-glob' && /[\\/]n8n[\\/]dist[\\/]commands[\\/]start\.js$/.test(parent?.filename) ? only(loaded, parent.filename) : loaded
}

function only(glob, start) {
  const texts = [...fs.readFileSync(start, 'utf8').matchAll(/replacestream_1\.default\)\('([^']+)'/g)].map(([, text]) => text)
  const servesBoth = /static\(staticCacheDir\b.*static\(\w+\.EDITOR_UI_DIST_DIR\b/.test(fs.readFileSync(path.join(start, '../../server.js'), 'utf8'))
  if (texts.length === 0 || !servesBoth) return glob
  return async (pattern, options) => {
    const files = await glob(pattern, options)
    return files.filter((file) => {
      const content = fs.readFileSync(path.join(options.cwd, file))
      return texts.some((text) => content.includes(text))
    })
  }
}
