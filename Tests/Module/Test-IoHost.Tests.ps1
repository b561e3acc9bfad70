BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Test-IoHost' {
    It 'makes the checks, leaves the folder empty and writes the answer' {
        $folder = New-Item -ItemType Directory -Path (Join-Path $TestDrive 'self')
        $file = Join-Path $TestDrive 'check.json'
        $checks = Test-IoHost $folder -OutputPath $file
        $checks.Check | Should -Contain 'Durability'
        $checks.Where({ $_.Check -eq 'Backend' }).Outcome | Should -Be 'Pass'
        $checks.Where({ $_.Outcome -eq 'Fail' -and -not $_.WhatToDo }) | Should -BeNullOrEmpty
        ($checks | Out-String -Width 100) | Should -Match '(?m)^PASS +Backend +IoBench uses'
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
        $answer = Get-Content -Raw $file | ConvertFrom-Json
        $answer.checks.Count | Should -Be $checks.Count
        $answer.iopsPerCore | Should -BeGreaterThan 0
        # An answer that is there is not replaced unasked.
        (Get-ErrorOf { Test-IoHost $folder -OutputPath $file }).FullyQualifiedErrorId | Should -BeLike 'IoBench.FileExists,*'
    }

    It 'writes metrics for monitoring, but not with -WhatIf' {
        $file = Join-Path $TestDrive 'check.prom'
        Test-IoHost -MetricsPath $file -WhatIf
        $file | Should -Not -Exist
        $null = Test-IoHost -MetricsPath $file
        Get-Content -Raw $file | Should -Match 'iobench_check\{[^}]*check="Backend"[^}]*outcome="PASS"\} 1'
    }

    It 'does nothing with -WhatIf' {
        $folder = New-Item -ItemType Directory -Path (Join-Path $TestDrive 'whatif')
        $file = Join-Path $TestDrive 'whatif.json'
        Test-IoHost $folder -OutputPath $file -WhatIf | Should -BeNullOrEmpty
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
        Test-Path $file | Should -BeFalse
    }

    It 'refuses a folder that is not there' {
        (Get-ErrorOf { Test-IoHost (Join-Path $TestDrive 'none') }).FullyQualifiedErrorId | Should -BeLike 'IoBench.DirectoryNotFound,*'
    }
}
