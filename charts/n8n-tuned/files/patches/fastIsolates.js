// Each isolate first runs n8n's runtime of expressions. That time mostly goes into a table of 40,000 letters and how to
// write them in Latin, which hardly any expression needs. With this patch, the table is built when an expression needs
// it.
exports.modules = {
  'n8n-workflow > @n8n/expression-runtime > dist/bundle/runtime.iife.js': { read: (text) => text.replace(eager, lazy) },
}

/** `letters={};for(let n=0;n<rows.length;n++)for(…){…letters[String.fromCharCode((n<<8)+e)]=…}` */
const eager = new RegExp([
  /(\w+)=\{\};for\(let (\w+)=0;\2<(\w+)\.length;\2\+\+\)/,
  /for\(let (\w+)=0;\4<\3\[\2\]\.length;\4\+\+\)/,
  /\{let (\w+)=\3\[\2\]\[\4\];if\(typeof \5=="string"&&\5\.length\)/,
  /\{let (\w+)=String\.fromCharCode\(\(\2<<8\)\+\4\);\1\[\6\]=\5\}\}/,
].map(({ source }) => source).join(''))

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
