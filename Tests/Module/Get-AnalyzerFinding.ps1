<#
    What PSScriptAnalyzer finds in all scripts of the project, a line each. One folder per call: each call loads all rules.
#>
[CmdletBinding()]
[OutputType([string])]
param()

$root = Split-Path -Path (Split-Path -Path $PSScriptRoot)
$settings = Import-PowerShellDataFile -LiteralPath (Join-Path $root 'PSScriptAnalyzerSettings.psd1')
# Pester shares variables between blocks and gives script blocks parameters that not all of them use, which the analyzer does not see; a test's
# helpers that make things ask nobody, its computers are invented, and the signs of a sparkline are what is tested (PowerShell 7 reads UTF-8 anyway).
$forTests = $settings.Clone()
$forTests.ExcludeRules = @(
    'PSUseDeclaredVarsMoreThanAssignments', 'PSReviewUnusedParameter', 'PSUseShouldProcessForStateChangingFunctions'
    'PSAvoidUsingComputerNameHardcoded', 'PSUseBOMForUnicodeEncodedFile'
)
$findings = @(
    foreach ($folder in 'Public', 'Private', 'docs/examples') { Invoke-ScriptAnalyzer -Path (Join-Path $root $folder) -Recurse -Settings $settings }
    foreach ($file in Get-ChildItem -Path $root -File | Where-Object Extension -In '.ps1', '.psm1', '.psd1') { Invoke-ScriptAnalyzer -Path $file.FullName -Settings $settings }
    Invoke-ScriptAnalyzer -Path (Join-Path $root 'Tests' 'Module') -Recurse -Settings $forTests
)
$findings | ForEach-Object { "$($_.ScriptName):$($_.Line) $($_.RuleName) $($_.Message)" }
