import Sequencer from '@jest/test-sequencer'

/** Their files take minutes. One that begins last runs alone while the other workers have nothing left to do. */
const long = ['e2e', 'conformance', 'workflows', 'editor'].map((folder) => `/test/${folder}/`)

/** Jest knows how long a file takes once it has run here. A clean checkout knows only this. */
export default class LongFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => long.some((folder) => path.includes(folder))
    const sorted = [...super.sort(tests)]
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))]
  }
}
