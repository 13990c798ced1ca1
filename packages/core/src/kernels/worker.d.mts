// The worker's script exports nothing: it is started by its URL.
export {}
