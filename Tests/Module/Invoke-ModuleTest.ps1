<#
    Runs Pester files in the current pwsh, with a Pester that is installed, and ends with exit code 1 if anything in them failed, discovery included.
    For all files use dotnet test. -ResultPath writes JUnit XML.
#>
[CmdletBinding()]
param(
    [string[]] $Path = $PSScriptRoot,

    [string] $ResultPath
)

$ErrorActionPreference = 'Stop'
Import-Module Pester -MinimumVersion 5.3
# The program that was built last.
$env:IOBENCH_TEST_BIN ??= Get-ChildItem (Join-Path $PSScriptRoot '..' '..' 'artifacts' 'bin' 'IoBench.Cli') -Directory -ErrorAction Ignore |
    Sort-Object LastWriteTime | Select-Object -Last 1 -ExpandProperty FullName

$configuration = New-PesterConfiguration
$configuration.Run.Path = $Path
$configuration.Run.PassThru = $true
$configuration.Output.Verbosity = 'Detailed'
$configuration.Output.RenderMode = 'Plaintext'
if ($ResultPath) {
    $configuration.TestResult.Enabled = $true
    $configuration.TestResult.OutputFormat = 'JUnitXml'
    $configuration.TestResult.OutputPath = $ResultPath
}
$run = Invoke-Pester -Configuration $configuration
# A file that throws while its tests are collected has no failed test: the result tells.
$summary = "$($run.PassedCount) passed, $($run.FailedCount + $run.FailedContainersCount + $run.FailedBlocksCount) failed, $($run.SkippedCount) skipped"
$summary
exit ($run.Result -eq 'Passed' ? 0 : 1)
