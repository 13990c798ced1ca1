// The version that `vicinal --version` prints. A test compares it with package.json: the built command is one file
// and should not read another when it starts.

export const version = '0.1.0'
