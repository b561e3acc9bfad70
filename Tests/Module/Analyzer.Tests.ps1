BeforeDiscovery {
    $hasAnalyzer = $null -ne (Get-Module -ListAvailable PSScriptAnalyzer)
    $null = $hasAnalyzer
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'The scripts' {
    It 'have no finding of PSScriptAnalyzer' -Skip:(-not $hasAnalyzer) -Tag 'needs the module PSScriptAnalyzer' {
        & (Join-Path $PSScriptRoot 'Get-AnalyzerFinding.ps1') | Should -BeNullOrEmpty
    }
}
