#!/bin/sh
# Draws report-summary.png and report-results.png from a file of results, as LibreOffice shows the workbook.
# Usage: docs/images/draw.sh RESULTS [TITLE]     needs: iobench on the PATH, soffice, pdftoppm
set -eu
results=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
iobench report "$results" ${2:+--title "$2"} --output "$work/report.xlsx"
soffice --headless "-env:UserInstallation=file://$work/profile" --convert-to pdf --outdir "$work" "$work/report.xlsx" >/dev/null
pdftoppm -png -singlefile -r 110 -x 20 -y 20 -W 1170 -H 720 -f 1 -l 1 "$work/report.pdf" "$here/report-summary"
pdftoppm -png -singlefile -r 110 -x 20 -y 20 -W 1170 -H 720 -f 2 -l 2 "$work/report.pdf" "$here/report-results"
