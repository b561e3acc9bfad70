<#
    Runs Pester files and ends with exit code 1 when anything in them failed, discovery included.
    -ResultPath writes JUnit XML, -CoveragePath measures how much of Public and Private was run, -CoverageTarget is what that must be at least.
#>
[CmdletBinding()]
param(
    [string[]] $Path = $PSScriptRoot,

    [string] $ResultPath,

    [string] $CoveragePath,

    # Least share in percent; less is an error.
    [double] $CoverageTarget
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
if ($CoveragePath) {
    $root = Split-Path -Path (Split-Path -Path $PSScriptRoot)
    $configuration.CodeCoverage.Enabled = $true
    $configuration.CodeCoverage.Path = @("$root/Public/*.ps1", "$root/Private/*.ps1")
    $configuration.CodeCoverage.OutputFormat = 'Cobertura'
    $configuration.CodeCoverage.OutputPath = $CoveragePath
    $configuration.CodeCoverage.UseBreakpoints = $false
}
$run = Invoke-Pester -Configuration $configuration
# A file that throws while its tests are collected has no failed test: the result tells.
$summary = "$($run.PassedCount) passed, $($run.FailedCount + $run.FailedContainersCount + $run.FailedBlocksCount) failed, $($run.SkippedCount) skipped"
$tooLittle = $false
if ($CoveragePath) {
    $covered = $run.CodeCoverage
    $tooLittle = $covered.CoveragePercent -lt $CoverageTarget
    "coverage of Public and Private: $([math]::Round($covered.CoveragePercent, 1)) % of $($covered.CommandsAnalyzedCount) commands$($tooLittle ? ", less than $CoverageTarget %" : '')"
    # Where most is missing.
    $covered.CommandsMissed | Group-Object -Property { [System.IO.Path]::GetFileName($_.File) } | Sort-Object -Property Count -Descending | Select-Object -First 12 |
        ForEach-Object { "  $($_.Name): $($_.Count) not run, lines $(($_.Group.Line | Select-Object -Unique -First 12) -join ', ')" }
}
$summary
exit ($run.Result -eq 'Passed' -and -not $tooLittle ? 0 : 1)
