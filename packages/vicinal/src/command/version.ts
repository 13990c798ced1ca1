// The version that `vicinal --version` prints. A test holds it to the one in package.json: the built command is one file
// and should not look for another when it starts.

export const version = '0.1.0'
