<#
.SYNOPSIS
    Makes docs/first-ten-minutes.md by running what a newcomer would type, with the packed module, in a home of its own.
.EXAMPLE
    ./build.ps1 -Task Package -Part Module; ./docs/examples/first-ten-minutes.ps1
#>
[CmdletBinding()]
param(
    # What build.ps1 -Task Package made.
    [string] $Package = (Join-Path $PSScriptRoot '..' '..' 'artifacts' 'package'),

    [string] $OutFile = (Join-Path $PSScriptRoot '..' 'first-ten-minutes.md')
)

$ErrorActionPreference = 'Stop'
$repository = Split-Path (Split-Path $PSScriptRoot)
$zip = Get-ChildItem -Path $Package -Filter 'IoBench-*.zip' | Select-Object -First 1
if (-not $zip) {
    throw "$Package has no IoBench zip. Run ./build.ps1 -Task Package -Part Module first."
}

# A heading, a sentence, and the lines typed.
$steps = @(
    @{
        Title = 'Install'; Text = 'From a zip, as on a server without internet access. Once IoBench is released: `Install-PSResource IoBench`.'
        Lines = "Expand-Archive $($zip.Name) ~/.local/share/powershell/Modules", 'Import-Module IoBench', '(Get-Command -Module IoBench).Count'
    }
    @{
        Title = 'A first test'; Text = 'A file name is enough: the test file is made and filled before it is measured, and kept for the next test. A real test uses a file of 20 GB or more and 30 seconds; this is only a quick look.'
        Lines = 'Invoke-IoTest ./iotest.dat -FileSize 256MB -Duration 5 | Tee-Object -Variable first', '$first | Format-Custom'
    }
    @{
        Title = 'A sweep'; Text = 'A list runs every value. Beyond which load does the storage only make you wait?'
        Lines = , 'Invoke-IoTest ./iotest.dat -ThreadCount 1 -OutstandingIO 1,2,4,8,16,32,64 -Duration 2 | Measure-IoSaturation'
    }
    @{
        Title = 'An old sqlio folder as one workbook'; Text = 'Whatever SQLIO, DiskSpd, fio and CrystalDiskMark wrote: files are recognised by what is in them.'
        Lines = 'Get-ChildItem old | Select-Object -ExpandProperty Name', "Import-IoResult old -LabelFrom FileName | Export-IoReport old.xlsx -Title 'The old SAN' -PassThru | Select-Object Name, Length"
    }
    @{
        Title = 'Two labels compared'; Text = 'Two places (here two files of one disk, so nothing should differ), three times each, and what can be said of the difference.'
        Lines = 'Invoke-IoTest ./iotest.dat, ./other.dat -Label OldSan, NewSan -Workload page-read-qd1, log-commit -Repeat 3 -FileSize 256MB -Duration 2 -OutputPath san.json | Select-Object Label, Workload, IOPS, AverageLatencyMs', 'Import-IoResult san.json | Compare-IoResult OldSan'
    }
    @{
        Title = 'A night job'; Text = 'The script of [docs/sql-agent.md](sql-agent.md), as an agent runs it: no profile, no questions, an exit code: 0, or 3 with the rules that were missed, or 1.'
        Lines = 'pwsh -NoProfile -NonInteractive -File nightly-canary.ps1 -Path ./iotest.dat -OutputFolder ./night -Duration 5', '$LASTEXITCODE', '(Get-ChildItem night).Extension'
    }
    @{ Title = 'Tidy up'; Text = 'Only files that IoBench made are removed.'; Lines = 'Remove-IoTestFile ./iotest.dat, ./other.dat', '(Get-ChildItem -Filter *.dat).Count' }
)

# A short name, so that tables look as they do in a short folder.
$work = Join-Path ([System.IO.Path]::GetTempPath()) "io$(Get-Random -Minimum 10 -Maximum 99)"
if (Test-Path -LiteralPath $work) {
    throw "$work is there already. Try again."
}
$null = [System.IO.Directory]::CreateDirectory((Join-Path $work 'old'))
try {
    Copy-Item -LiteralPath $zip.FullName -Destination $work
    Copy-Item -LiteralPath (Join-Path $PSScriptRoot 'nightly-canary.ps1') -Destination $work
    foreach ($name in 'reads-8k-random-3-files.txt', 'write-8k-sequential-BN.txt', 'write-8k-sequential-BH.txt') {
        Copy-Item -LiteralPath (Join-Path $repository 'Tests' 'samples' 'documents' $name) -Destination (Join-Path $work 'old')
    }
    # The whole session in one pwsh, which is told where each answer ends.
    $session = @(
        '$PSStyle.OutputRendering = "PlainText"; $ProgressPreference = "SilentlyContinue"; Set-Location $args[0]'
        'filter Show { if ($_ -is [System.Management.Automation.WarningRecord]) { "WARNING: $_" } else { $_ } }'
        foreach ($line in $steps.Lines) { "'#-#'; . { $line } *>&1 | Show | Out-String -Width 120" }
    )
    $file = Join-Path $work 'session.ps1'
    Set-Content -LiteralPath $file -Value $session
    $start = [System.Diagnostics.ProcessStartInfo]::new('pwsh', [string[]]@('-NoProfile', '-NonInteractive', '-File', $file, $work))
    $start.Environment['HOME'] = $work
    $start.RedirectStandardOutput = $true
    $process = [System.Diagnostics.Process]::Start($start)
    $answers = $process.StandardOutput.ReadToEnd() -split '(?m)^#-#\r?\n'
    $process.WaitForExit()

    $page = [System.Collections.Generic.List[string]]@(
        '# The first ten minutes', ''
        'What is typed and what comes back, in a real session in PowerShell 7 on a virtual machine with 2 processors (Linux, ext4 on a virtio disk that its host caches). The page is made by [first-ten-minutes.ps1](examples/first-ten-minutes.ps1). On Windows the same lines work with Windows paths.'
    )
    $number = 0
    foreach ($step in $steps) {
        $page.AddRange([string[]]@('', "## $($step.Title)", '', $step.Text, '', '```'))
        foreach ($line in $step.Lines) {
            $number++
            $page.Add("PS> $line")
            $answer = $answers[$number].Replace("$work/", './').Replace($work, '.').TrimEnd()
            if ($answer) { $page.AddRange([string[]]@(($answer -split '\r?\n').ForEach({ $_.TrimEnd() }))) }
        }
        $page.Add('```')
    }
    [System.IO.File]::WriteAllLines([System.IO.Path]::GetFullPath($OutFile), $page)
} finally {
    Remove-Item -LiteralPath $work -Recurse -Force
}
