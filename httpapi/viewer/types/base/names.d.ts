// names.js, which the service makes of what its library knows.
export const words: { [language: string]: { [name: string]: string } };
export const parts: string[];
export const skeleton: [string, string][];
export const types: { name: string, points: number, sided: boolean, unit: string, front: boolean, good: number }[];
