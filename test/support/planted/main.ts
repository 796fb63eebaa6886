/** usage: main.ts FOLDER [WORD…]: the same run from a script, for targets that Jest does not reach. */
import { runPlanted } from './run.ts'

const [folder, ...where] = process.argv.slice(2)
const { secrets, exit, said, accepted, printed, found } = await runPlanted(folder!, where)
const whole = accepted > 0 && printed
for (const one of found) console.log(`found ${one.secret} in ${one.in}`)
if (!whole) console.log(`Expected a whole run, got exit ${exit}, ${accepted} requests: ${said}`)
console.log(`${secrets} secrets, ${found.length} found, ${accepted} requests accepted`)
process.exitCode = found.length > 0 || !whole ? 1 : 0
