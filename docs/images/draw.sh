#!/bin/sh
# Draws the pictures of README and docs as LibreOffice shows the workbooks that the tests of the reports make: report.png and report-latency.png
# from the suite with invented figures, report-sweep.png from a sweep.
# Usage: IOBENCH_PICTURES=FOLDER dotnet test Tests/IoBench.Reports.Tests && docs/images/draw.sh FOLDER     needs: soffice, pdftoppm, pdftotext
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# draw WORKBOOK TITLE PICTURE HEIGHT [WIDTH]: the page that begins with the title (the first one when it is empty), so many pixels high and wide.
draw() {
    pdf="$work/$(basename "$1" .xlsx).pdf"
    [ -e "$pdf" ] || soffice --headless "-env:UserInstallation=file://$work/profile" --convert-to pdf --outdir "$work" "$1" >/dev/null
    page=1
    until [ -z "$2" ] || pdftotext -f "$page" -l "$page" "$pdf" - | head -n 1 | grep -q "^$2"; do
        page=$((page + 1))
        [ "$page" -lt 100 ] || { echo "no page of $1 begins with $2" >&2; exit 1; }
    done
    pdftoppm -png -singlefile -r 110 -x 20 -y 20 -W "${5:-1190}" -H "$4" -f "$page" -l "$page" "$pdf" "$here/$3"
}

draw "$1/example.xlsx" "" report 800
draw "$1/example.xlsx" "Latency:" report-latency 860
draw "$1/queue-depths.xlsx" "Sweep:" report-sweep 860 960
