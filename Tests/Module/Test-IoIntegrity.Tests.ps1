BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Test-IoIntegrity' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
        $file = Join-Path $folder 't.dat'
        $quick = @{ FileSize = '4MB'; Duration = '300ms'; WarmUp = '0s'; ThreadCount = 2; OutstandingIO = 4; Buffering = 'Both'; Confirm = $false }
    }

    It 'checks every read and says so' {
        $result = Test-IoIntegrity $file @quick -InformationVariable said
        $result.Status | Should -Be 'Complete'
        $result.WritePercent | Should -Be 50
        $result.Integrity.ReadCount | Should -BeGreaterThan 0
        $result.Integrity.ErrorCount | Should -Be 0
        $result.Integrity.FinalPass.ByteCount | Should -Be 4MB
        "$said" | Should -Match 'PASS: .*all reads returned the expected data'
        ($result | Out-String -Width 80).Trim() -split '\r?\n' | Select-Object -First 1 | Should -Match '^Verdict +ReadsChecked +Errors +Lost +Torn +Stale +Misplaced +Other'
    }

    It 'returns only true or false with -Quiet' {
        Test-IoIntegrity $file @quick -Quiet -InformationVariable said -WarningVariable warned | Should -BeTrue
        "$said$warned" | Should -BeNullOrEmpty
        [System.IO.File]::WriteAllBytes("$file.2", [byte[]]::new(4MB))
        Test-IoIntegrity "$file.2" @quick -WritePercent 0 -Quiet -ErrorAction Stop | Should -BeFalse
    }

    It 'warns about content that it cannot verify' {
        [System.IO.File]::WriteAllBytes($file, [byte[]]::new(4MB))
        $result = Test-IoIntegrity $file @quick -WritePercent 0 -WarningVariable warned -WarningAction SilentlyContinue
        $result.Integrity.Outcome | Should -Be 'NotVerified'
        $result.Integrity.UnverifiedBytes | Should -Be 4MB
        $result.Integrity.Unverified.Reason | Should -Be 'NoMarker'
        "$warned" | Should -Match 'NOT VERIFIED: '
        "$warned" | Should -Not -Match 'no errors'
        $result | Test-IoResult -Quiet | Should -BeFalse
    }

    It 'takes a file through the pipeline, and a workload' {
        ($file | Test-IoIntegrity @quick -Workload page-read-qd1).Integrity.ErrorCount | Should -Be 0
    }

    It 'refuses content that does not show where it belongs' {
        (Get-ErrorOf { Test-IoIntegrity $file @quick -WriteContent Zero }).FullyQualifiedErrorId | Should -BeLike 'IoBench.ConflictingOptions,*'
    }

    It 'means a relative witness from where PowerShell is' {
        Push-Location -LiteralPath $folder
        try { $refused = Get-ErrorOf { Test-IoIntegrity t.dat @quick -FlushEvery 1 -Witness wit.log -WarningAction SilentlyContinue } }
        finally { Pop-Location }
        # Beside the file it would be lost with it: the refusal names the place that is meant.
        "$refused" | Should -Match ([regex]::Escape((Join-Path $folder 'wit.log')))
    }

    It 'says that a witness is none' {
        $null = New-IoTestFile $file -FileSize 1MB
        Set-Content (Join-Path $folder 'w.log') 'no witness'
        $wrong = Get-ErrorOf { Test-IoIntegrity $file -AfterCrash (Join-Path $folder 'w.log') }
        $wrong.FullyQualifiedErrorId | Should -BeLike 'IoBench.InvalidWitness,*'
        $wrong.ErrorDetails.RecommendedAction | Should -BeLike '*Specify the file that -Witness or iobench witness wrote.'
    }

    It 'does not verify with an empty witness' {
        $null = New-IoTestFile $file -FileSize 1MB
        $null = New-Item (Join-Path $folder 'w.log') -ItemType File
        $result = Test-IoIntegrity $file -AfterCrash (Join-Path $folder 'w.log') -ErrorVariable said -ErrorAction SilentlyContinue -WarningVariable summary -WarningAction SilentlyContinue
        $result.Integrity.Crash.NotVerifiedReason | Should -Be 'The witness is empty.'
        $said[0].FullyQualifiedErrorId | Should -BeLike 'IoBench.NotVerified,*'
        "$summary" | Should -Match 'NOT VERIFIED'
    }

    It 'requires the secret of a witness on another host' {
        $refused = Get-ErrorOf { Test-IoIntegrity $file @quick -FlushEvery 1 -Witness 127.0.0.1:1 -WarningAction SilentlyContinue }
        $refused.FullyQualifiedErrorId | Should -BeLike 'IoBench.InvalidWitness,*'
        "$refused" | Should -Match 'requires the secret'
        $refused.ErrorDetails.RecommendedAction | Should -BeLike 'Use -Witness 127.0.0.1:1#SECRET*'
    }

    It 'takes nothing of a load in a look after a crash' {
        $refused = Get-ErrorOf { Test-IoIntegrity $file -AfterCrash w.log -Duration 5 }
        $refused.FullyQualifiedErrorId | Should -BeLike 'IoBench.ConflictingOptions,*'
        $refused.ErrorDetails.RecommendedAction | Should -Be 'Remove -Duration.'
    }

    It 'says what is wrong with the place of a witness' {
        (Get-ErrorOf { Test-IoIntegrity $file -AfterCrash nope:\w.log }).FullyQualifiedErrorId | Should -BeLike 'IoBench.DriveNotFound,*'
        (Get-ErrorOf { Test-IoIntegrity $file -AfterCrash env:w }).FullyQualifiedErrorId | Should -BeLike 'IoBench.NotAFilePath,*'
    }

    It 'touches nothing with -WhatIf' {
        $quick.Remove('Confirm')
        Test-IoIntegrity $file @quick -WhatIf | Should -BeNullOrEmpty
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
    }

    It 'takes settings from columns, which the parameters win over' {
        $quick.Remove('OutstandingIO')
        $rows = [pscustomobject]@{ Path = $file; BlockSize = '64KB'; OutstandingIO = 2; Label = 'x'; Priority = 'low' }, [pscustomobject]@{ PhysicalName = $file; QD = '' }
        $results = $rows | Test-IoIntegrity @quick
        $results.ForEach({ "$($_.BlockSizeKB) $($_.OutstandingIO) $($_.Label) $($_.Specification.Priority)" }) | Should -Be '64 2 x Low', '8 8  Normal'
        ($rows[0] | Test-IoIntegrity @quick -BlockSize 16KB).BlockSizeKB | Should -Be 16
    }

    It 'warns of columns that it does not take' {
        $row = [pscustomobject]@{ Path = $file; Repeat = 3; BlokSize = '64KB'; Force = $true }
        $null = $row | Test-IoIntegrity @quick -WarningVariable said -WarningAction SilentlyContinue
        $expected = 'IoBench ignores Repeat, because this command does not accept this option as a table column. [IoBench.UnknownSetting]', 'IoBench ignores BlokSize, because a test has no setting with this name. Did you mean BlockSize? [IoBench.UnknownSetting]', 'IoBench ignores Force, because a test has no setting with this name. [IoBench.UnknownSetting]'
        $said.ForEach({ "$_" }) -match 'IoBench ignores' | Should -Be $expected
    }

    It 'takes a name with brackets as it is, and the test of a result' {
        $odd = Join-Path $folder 't[1].dat'
        $result = Test-IoIntegrity -LiteralPath $odd @quick
        $result.Path | Should -Be $odd
        (Get-Item -LiteralPath $odd | Test-IoIntegrity @quick).Path | Should -Be $odd
        ($result | Test-IoIntegrity -Confirm:$false).Integrity.ErrorCount | Should -Be 0
        Set-Content (Join-Path $folder 'w.log') 'no witness'
        (Get-ErrorOf { Test-IoIntegrity -LiteralPath $odd -AfterCrash (Join-Path $folder 'w.log') }).FullyQualifiedErrorId | Should -BeLike 'IoBench.InvalidWitness,*'
    }
}
