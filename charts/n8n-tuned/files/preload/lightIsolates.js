// Each isolate that n8n evaluates expressions in runs n8n's runtime first, and most of that time goes
// into a table of 40,000 letters and how to write them in Latin, which hardly any expression asks for.
// Here the table is made when one does. A runtime that makes it in another way is left as it is.
const fs = require('fs')

const { readFileSync } = fs
const { readFile } = fs.promises

/** As n8n 2 reads it. */
fs.readFileSync = function (path, ...rest) {
  return lighten(path, readFileSync.call(this, path, ...rest))
}

/** As n8n 1 does, for every isolate. */
fs.promises.readFile = async function (path, ...rest) {
  return lighten(path, await readFile.call(this, path, ...rest))
}

const lighten = (path, content) => (typeof content === 'string' && /[\\/]runtime\.iife\.js$/.test(path) ? content.replace(eager, lazy) : content)

/** `letters={};for(let n=0;n<rows.length;n++)for(…){…letters[String.fromCharCode((n<<8)+e)]=…}`, whatever the names. */
const eager = /(\w+)=\{\};for\(let (\w+)=0;\2<(\w+)\.length;\2\+\+\)for\(let (\w+)=0;\4<\3\[\2\]\.length;\4\+\+\)\{let (\w+)=\3\[\2\]\[\4\];if\(typeof \5=="string"&&\5\.length\)\{let (\w+)=String\.fromCharCode\(\(\2<<8\)\+\4\);\1\[\6\]=\5\}\}/

const lazy = (_, letters, _n, rows) => `${letters}=(${tableOf})(${rows});`

/** Runs in the isolate. */
function tableOf(rows) {
  const table = {}
  const made = () => {
    for (let n = 0; rows && n < rows.length; n++) {
      for (let e = 0; e < rows[n].length; e++) {
        if (rows[n][e]) table[String.fromCharCode((n << 8) + e)] = rows[n][e]
      }
    }
    rows = undefined
    return table
  }
  return new Proxy(table, {
    get: (_, letter) => made()[letter],
    has: (_, letter) => letter in made(),
    ownKeys: () => Reflect.ownKeys(made()),
    getOwnPropertyDescriptor: (_, letter) => Reflect.getOwnPropertyDescriptor(made(), letter),
  })
}
