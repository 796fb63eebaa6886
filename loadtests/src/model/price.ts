import type { Price } from './profile/experiment.ts'

/** Without a price of the user's, a CPU costs as much as 8 GiB of memory, as it does where both are rented. */
export const usualPrice: Price = { cpu: 1, memory: 0.125 }

/** Whether the price is the user's own, so that a cost means something to them. */
export const isOwnPrice = ({ cpu, memory }: Price): boolean => cpu !== usualPrice.cpu || memory !== usualPrice.memory
