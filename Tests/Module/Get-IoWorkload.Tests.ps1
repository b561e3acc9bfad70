BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Get-IoWorkload' {
    It 'lists all of them' {
        (Get-IoWorkload).Name | Should -Contain 'sql-server'
        (Get-IoWorkload).Count | Should -Be ([IoBench.Workloads.WorkloadCatalog]::All.Count)
    }

    It 'takes names and wildcards, also through the pipeline' {
        (Get-IoWorkload PAGE-READ).Name | Should -Be 'page-read'
        (Get-IoWorkload 'log-*').Name | Should -Contain 'log-commit'
        ('oltp', 'tempdb' | Get-IoWorkload).Name | Should -Be 'oltp', 'tempdb'
    }

    It 'has where and why for each workload' {
        foreach ($workload in Get-IoWorkload -Kind Workload) {
            $workload.Role | Should -Not -BeNullOrEmpty -Because $workload.Name
            $workload.Reason | Should -Not -BeNullOrEmpty -Because $workload.Name
        }
    }

    It 'has how well it is known and by whom it was published' {
        $restore = Get-IoWorkload restore-write
        $restore.Confidence | Should -Be 'Medium'
        $restore.Sources[0].Url | Should -BeLike 'https://learn.microsoft.com/*'
        (Get-IoWorkload restore -AsSpecification).Targets.Role | Should -Be 'backup', 'data'
        (Get-ErrorOf { Get-IoWorkload filestream -ErrorAction Stop }).Exception.Message | Should -Match 'SQL Server therefore has no FILESTREAM pattern of its own'
    }

    It 'gives the tests of a suite as specifications of one''s own' {
        $specifications = Get-IoWorkload sql-server -AsSpecification
        $specifications.Count | Should -Be 9
        $specifications[0] | Should -BeOfType IoBench.Engine.IoTestSpecification
        $specifications[0].BlockSize = 1
        (Get-IoWorkload sql-server -AsSpecification)[0].BlockSize | Should -Not -Be 1
    }

    It 'proposes near names for an unknown one and goes on' {
        $found = Get-IoWorkload sql-servr, oltp -ErrorAction SilentlyContinue -ErrorVariable problems
        $found.Name | Should -Be 'oltp'
        $problems[0].FullyQualifiedErrorId | Should -Be 'IoBench.UnknownWorkload,IoBench.PowerShell.GetIoWorkloadCommand'
        $problems[0].Exception.Message | Should -Match 'sql-server'
    }

    It 'recommends what there is to do, and nothing where the last sentence is no advice' {
        $near = Get-ErrorOf { Get-IoWorkload page-raed }
        $near.ErrorDetails.Message | Should -Be "The workload 'page-raed' does not exist."
        $near.ErrorDetails.RecommendedAction | Should -Match '^Did you mean page-read'
        $near.Exception.Message | Should -Be "$($near.ErrorDetails.Message) $($near.ErrorDetails.RecommendedAction)"
        $note = Get-ErrorOf { Get-IoWorkload backup-to-s3 }
        $note.Exception.Message | Should -Match 'It writes nothing to a local disk\.'
        $note.ErrorDetails | Should -BeNullOrEmpty
    }

    It 'completes names' {
        $line = 'Get-IoWorkload page-'
        (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText | Should -Contain 'page-read-qd1'
        $line = 'Invoke-IoTest -Workload log-ma'
        (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText | Should -Be 'log-many'
    }
}
