BeforeDiscovery {
    $hasAnalyzer = $null -ne (Get-Module -ListAvailable PSScriptAnalyzer)
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'The scripts' {
    It 'have no finding of PSScriptAnalyzer' -Skip:(-not $hasAnalyzer) {
        $settings = Join-Path $repository 'PSScriptAnalyzerSettings.psd1'
        $folders = 'Public', 'Private', 'Tests/Module', 'docs/examples' | ForEach-Object { Join-Path $repository $_ }
        $files = @(Get-ChildItem $folders -Recurse -Include *.ps1, *.psm1, *.psd1) + @(Get-ChildItem $repository -File | Where-Object Extension -In '.ps1', '.psm1', '.psd1')
        $findings = $files | ForEach-Object { Invoke-ScriptAnalyzer -Path $_.FullName -Settings $settings }
        $findings | ForEach-Object { "$($_.ScriptName):$($_.Line) $($_.RuleName) $($_.Message)" } | Should -BeNullOrEmpty
    }
}
