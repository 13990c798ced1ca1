/** The folder of the built page: index.html and its assets, with relative addresses only. */
export declare const pageFolder: string
