BeforeDiscovery {
    $hasAnalyzer = $null -ne (Get-Module -ListAvailable PSScriptAnalyzer)
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'The scripts' {
    It 'have no finding of PSScriptAnalyzer' -Skip:(-not $hasAnalyzer) {
        $settings = Join-Path $repository 'PSScriptAnalyzerSettings.psd1'
        $files = Get-ChildItem (Join-Path $repository 'Public'), (Join-Path $repository 'Private'), (Join-Path $repository 'IoBench.psm1'), (Join-Path $repository 'IoBench.psd1'), (Join-Path $repository 'build.ps1'), (Join-Path $repository 'docs' 'examples') -Recurse -Include *.ps1, *.psm1, *.psd1 -ErrorAction Ignore
        $findings = $files | ForEach-Object { Invoke-ScriptAnalyzer -Path $_.FullName -Settings $settings }
        $findings | ForEach-Object { "$($_.ScriptName):$($_.Line) $($_.RuleName) $($_.Message)" } | Should -BeNullOrEmpty
    }
}
