# What runs on the hosts of Invoke-IoTest -Session, run here: a part of the module like any other. The way there is in Session.Tests.ps1.
BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'The part of -Session that runs on a host' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
        $plan = foreach ($name in 'a.dat', 'theirs.dat') {
            $test = New-IoTestSpecification (Join-Path $folder $name) -FileSize 4MB -Duration 0.2 -WarmUp 0 -WritePercent 100
            $test
        }
        $text = [System.Management.Automation.PSSerializer]::Serialize(@($plan), 9)
        [System.IO.File]::WriteAllBytes((Join-Path $folder 'theirs.dat'), [byte[]]::new(4MB))
        $null = $text
    }

    It 'makes the files of its own tests and says which may run' {
        $ready = InModuleScope IoBench -Parameters @{ Text = $text } { Initialize-IoSessionPlan -Plan $Text -Number 0, 1 -ErrorAction SilentlyContinue -ErrorVariable problems; $problems }
        $ready[0] | Should -Be 0
        $ready[1].FullyQualifiedErrorId | Should -Be 'IoBench.ForeignFile,Initialize-IoSessionPlan'
        (Get-Item (Join-Path $folder 'a.dat')).Length | Should -Be 4MB
    }

    It 'runs one test of a plan, and removes what is IoBench''s' {
        $one = [System.Management.Automation.PSSerializer]::Serialize(@($plan[0]), 9)
        $result = InModuleScope IoBench -Parameters @{ Text = $one } {
            Invoke-IoSessionRun -Plan $Text -Position @{ Activity = 'x'; Number = 1; Count = 1; Left = [timespan]::Zero }
        }
        $result.Status | Should -Be 'Complete'
        InModuleScope IoBench -Parameters @{ Files = $plan.Targets.Path } { Remove-IoSessionFile -Path $Files -WarningVariable said -WarningAction SilentlyContinue; "$said" } | Should -Match 'theirs\.dat is not removed'
        Get-ChildItem $folder | Select-Object -ExpandProperty Name | Should -Be 'theirs.dat'
    }

    It 'reports a test that is refused as an error' {
        $one = [System.Management.Automation.PSSerializer]::Serialize(@($plan[1]), 9)
        $problem = Get-ErrorOf { InModuleScope IoBench -Parameters @{ Text = $one } { Invoke-IoSessionRun -Plan $Text -Position @{ Activity = 'x'; Number = 1; Count = 1; Left = [timespan]::Zero } } }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.ForeignFile,Invoke-IoSessionRun'
    }

    It 'goes as one archive whose key changes with any file' {
        $archive = InModuleScope IoBench { New-IoModuleArchive }
        $archive.Key | Should -Match '^0\.1\.0-[0-9a-f]{16}$'
        $zip = [System.IO.Compression.ZipArchive]::new([System.IO.MemoryStream]::new($archive.Bytes))
        $names = $zip.Entries.FullName
        $zip.Dispose()
        foreach ($name in 'IoBench.psd1', 'IoBench.psm1', 'Public/Invoke-IoTest.ps1', 'Private/TypeData.psd1', 'lib/IoBench.Engine.dll', 'lib/IoBench.Loader.dll') { $names | Should -Contain $name }
        (InModuleScope IoBench { New-IoModuleArchive }).Key | Should -Be $archive.Key
    }
}
