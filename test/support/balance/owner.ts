/**
 * The lab's process, as far as a network goes: opens one of its own, says its link's name, and waits to be killed.
 */
import { openLinkedNetwork } from '../../../loadtests/articles/linked-network.ts'
import { makePost } from './post.ts'

const { link } = await openLinkedNetwork('network', 'the test', await makePost())
process.stdout.write(link.name)
setInterval(() => {}, 1000)
