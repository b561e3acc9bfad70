<#
.SYNOPSIS
    Creates docs/tutorials/first-ten-minutes.md: runs the commands of a new user with the packed module in a separate home folder.
.EXAMPLE
    ./build.ps1 -Task Package -Part Module; ./docs/examples/first-ten-minutes.ps1
#>
[CmdletBinding()]
param(
    # Output of build.ps1 -Task Package.
    [string] $Package = (Join-Path $PSScriptRoot '..' '..' 'artifacts' 'package'),

    [string] $OutFile = (Join-Path $PSScriptRoot '..' 'tutorials' 'first-ten-minutes.md')
)

$ErrorActionPreference = 'Stop'
$repository = Split-Path (Split-Path $PSScriptRoot)
$zip = Get-ChildItem -Path $Package -Filter 'IoBench-*.zip' | Select-Object -First 1
if (-not $zip) {
    throw "$Package has no IoBench zip. Run ./build.ps1 -Task Package -Part Module first."
}

# Heading, text, and commands.
$steps = @(
    @{
        Title = 'Install the module'; Text = 'Install the module from the zip file. This method also works on a server without internet access. After the first release, you can run `Install-PSResource IoBench` instead.'
        Lines = "Expand-Archive $($zip.Name) ~/.local/share/powershell/Modules", 'Import-Module IoBench', '(Get-Command -Module IoBench).Count'
    }
    @{
        Title = 'Run a first test'; Text = 'Specify the name of a test file. IoBench creates the file, fills it with data, runs the test, and keeps the file for the next run. This run is short and the file is small, so the results are preliminary. For a real test, use a file of 20 GB or more, and a duration of 30 seconds. Read the warnings first, because they explain how reliable the numbers are. `Format-Custom` shows the latency distribution and IOPS over time.'
        Lines = 'Invoke-IoTest ./iotest.dat -FileSize 256MB -Duration 5 | Tee-Object -Variable first', '$first | Format-Custom'
    }
    @{
        Title = 'Find the saturation point'; Text = 'If you specify a list of values, IoBench runs a test for each value. `Measure-IoSaturation` then finds the saturation point. Above this load, only the latency increases.'
        Lines = , 'Invoke-IoTest ./iotest.dat -ThreadCount 1 -OutstandingIO 1,2,4,8,16,32,64 -Duration 2 | Measure-IoSaturation'
    }
    @{
        Title = 'Turn an old SQLIO folder into a workbook'; Text = '`Import-IoResult` reads the output of SQLIO, DiskSpd, fio, and CrystalDiskMark. It recognizes files by their contents, not by their names.'
        Lines = 'Get-ChildItem old | Select-Object -ExpandProperty Name', "Import-IoResult old -LabelFrom FileName | Export-IoReport old.xlsx -Title 'The old SAN' -PassThru | Select-Object Name, Length"
    }
    @{
        Title = 'Compare two volumes'; Text = 'Test two paths three times each, and compare the results. In this example, both files are on the same disk, so no difference is expected. If repeated runs on the same volume differ too much, the verdict is inconclusive. With longer tests and more repeats, the confidence interval is narrower.'
        Lines = 'Invoke-IoTest ./iotest.dat, ./other.dat -Label OldSan, NewSan -Workload page-read-qd1, log-commit -Repeat 3 -FileSize 256MB -Duration 2 -OutputPath san.json | Select-Object Label, Workload, IOPS, AverageLatencyMs', 'Import-IoResult san.json | Compare-IoResult OldSan'
    }
    @{
        Title = 'Run the nightly check'; Text = 'The script in this step is from the page [Schedule a nightly check](../how-to/sql-agent.md). Here, the script runs as in a SQL Server Agent job: without a profile and without prompts. The exit code is 0 if all rules pass, 1 if a test failed, and 3 if a rule failed or nothing could be rated.'
        Lines = 'pwsh -NoProfile -NonInteractive -File nightly-canary.ps1 -Path ./iotest.dat -OutputFolder ./night -Duration 5', '$LASTEXITCODE', '(Get-ChildItem night).Extension'
    }
    @{ Title = 'Clean up'; Text = '`Remove-IoTestFile` removes only files that IoBench created.'; Lines = 'Remove-IoTestFile ./iotest.dat, ./other.dat', '(Get-ChildItem -Filter *.dat).Count' }
)

# A short name, so that tables look as they do in a short folder.
$work = Join-Path ([System.IO.Path]::GetTempPath()) "io$(Get-Random -Minimum 10 -Maximum 99)"
if (Test-Path -LiteralPath $work) {
    throw "$work exists. Try again."
}
$null = [System.IO.Directory]::CreateDirectory((Join-Path $work 'old'))
try {
    Copy-Item -LiteralPath $zip.FullName -Destination $work
    Copy-Item -LiteralPath (Join-Path $PSScriptRoot 'nightly-canary.ps1') -Destination $work
    foreach ($name in 'reads-8k-random-3-files.txt', 'write-8k-sequential-BN.txt', 'write-8k-sequential-BH.txt') {
        Copy-Item -LiteralPath (Join-Path $repository 'Tests' 'samples' 'documents' $name) -Destination (Join-Path $work 'old')
    }
    # The whole session runs in one pwsh, with a marker after each command.
    $session = @(
        '$PSStyle.OutputRendering = "PlainText"; $ProgressPreference = "SilentlyContinue"; Set-Location $args[0]'
        # Do not redirect streams, so that the page shows what a user sees.
        foreach ($line in $steps.Lines) { "'#-#'; . { $line } | Out-String -Width 119 -Stream" }
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
        '# Tutorial: your first ten minutes with IoBench', ''
        'In this tutorial, you run a first test and find the saturation point of a disk. You then turn old SQLIO output into a workbook, compare two volumes, and run the nightly check. You need PowerShell 7.4 or later, and 1 GB of free space.', '', 'The output is from a real PowerShell 7 session on a Linux virtual machine with two CPUs (ext4 on a virtio disk that the host caches). On Windows, use the same commands with Windows paths. [first-ten-minutes.ps1](../examples/first-ten-minutes.ps1) creates this page.'
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
