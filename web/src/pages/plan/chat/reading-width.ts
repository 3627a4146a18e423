/** As wide as lines are read well, in the middle of the pane. */
export const READING = "mx-auto w-full max-w-200 lg:px-6";
