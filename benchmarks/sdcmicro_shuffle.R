# Shuffles the numeric columns of a file given its class with sdcMicro, five times after a warm-up; prints JSON.
if (!requireNamespace("sdcMicro", quietly = TRUE)) {
  cat("{}\n")
  quit()
}
library(sdcMicro)
table <- read.csv(commandArgs(trailingOnly = TRUE)[1], stringsAsFactors = TRUE)
confidential <- setdiff(names(table), "income")
form <- as.formula(paste(paste(confidential, collapse = " + "), "~ income"))
work <- function() shuffle(table, form, gadp = FALSE)$shuffled
shuffled <- work()
seconds <- sapply(1:5, function(run) system.time(work())[["elapsed"]])
change <- max(abs(cor(as.matrix(table[confidential])) - cor(shuffled)))
cat(sprintf(
  '{"seconds": [%s], "version": "%s", "change": %.6f}\n',
  paste(sprintf("%.4f", seconds), collapse = ", "), packageVersion("sdcMicro"), change
))
