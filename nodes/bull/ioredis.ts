/** The one file that the build bundles: a community node must not depend on packages at run time. */
export { Cluster, Redis } from 'ioredis'
