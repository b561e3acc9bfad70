BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Get-IoRuleSet' {
    It 'has the rule sets with their rules and sources' {
        $sets = Get-IoRuleSet
        $sets.Name | Should -Contain 'flash'
        $sets.Where({ -not $_.Source -or -not $_.Description -or $_.Rules.Count -eq 0 }) | Should -BeNullOrEmpty
        ($sets | Out-String -Width 80) | Should -Match '(?m)^flash +4 Latency of all-flash storage'
    }

    It 'finds by name and wildcard, in the pipeline too' {
        (Get-IoRuleSet MS-*).Name | Should -Be 'ms-css', 'ms-file-stats', 'ms-2005', 'ms-2012'
        ('flash', 'steady' | Get-IoRuleSet).Name | Should -Be 'flash', 'steady'
        (Get-IoRuleSet flash).Rules | Out-String | Should -Match 'PageRead +MaxAverageLatencyMs 1'
    }

    It 'reads a file with a rule set' {
        $file = Join-Path $TestDrive 'own.json'
        Set-Content $file '{ "name": "own", "rules": [ { "maxP99Ms": 3 } ] }'
        (Get-IoRuleSet $file).Rules.MaxP99Ms | Should -Be 3
    }

    It 'says which there are to a name that is none, and goes on' {
        $found = 'nonsense', 'flash' | Get-IoRuleSet -ErrorAction SilentlyContinue -ErrorVariable problem
        $found.Name | Should -Be 'flash'
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.UnknownRuleSet,IoBench.PowerShell.GetIoRuleSetCommand'
        $problem[0].Exception.Message | Should -BeLike '*flash*'
    }

    It 'is completed, as Test-IoResult -RuleSet is' {
        (TabExpansion2 'Get-IoRuleSet ms-2' 18).CompletionMatches.CompletionText | Should -Be 'ms-2005', 'ms-2012'
        (TabExpansion2 'Test-IoResult -RuleSet fl' 25).CompletionMatches.CompletionText | Should -Be 'flash'
    }
}
