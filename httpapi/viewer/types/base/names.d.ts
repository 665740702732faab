// names.js, which the service makes of what its library knows.
/** How the amounts of a unit are written: value × factor, with some digits. */
export const units: { name: string; digits: number; factor: number }[];
/** The measures in metres that are said in centimetres. */
export const small: string[];
export const parts: string[];
export const skeleton: [string, string][];
export const types: { name: string; points: number; sided: boolean; unit: string; front: boolean; good: number }[];
