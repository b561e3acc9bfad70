<#
    Runs Pester files and ends with exit code 1 when anything in them failed, discovery included.
    -ResultPath writes JUnit XML.
#>
[CmdletBinding()]
param(
    [string[]] $Path = $PSScriptRoot,

    [string] $ResultPath
)

$ErrorActionPreference = 'Stop'
Import-Module Pester -MinimumVersion 5.3

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
